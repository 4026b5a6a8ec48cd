// The statements of all stores, as they are sent: every exported function of every store is called with a connection that only
// takes down what it is asked, and with stand-ins for everything else. What a stand-in does not get through to is missing, some
// few per cent; the stories of test/flow on a cluster run those.

import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CALL_MS = 30; // a function that waits for more than its statements is not waited for

/** A statement, and the first function that was seen to send it. */
export interface Statement {
  text: string;
  from: string;
}

/** All that are found, each once. */
export async function collectStatements(): Promise<Statement[]> {
  const found = new Map<string, string>();
  for (const file of globSync('{core,sender,inbound,scheduler,api}/**/*-store.ts', { cwd: ROOT }).sort()) {
    const store = (await import(join(ROOT, file))) as Record<string, unknown>;
    for (const [name, call] of Object.entries(store)) {
      if (typeof call !== 'function' || String(call).startsWith('class ')) continue;
      const note = (text: string) => void (found.has(text) || found.set(text, `${file}: ${name}`));
      // With an answer and without: some ask on only when there was one.
      for (const answers of [false, true])
        for (const more of ARGUMENTS)
          await tryCall(() => Reflect.apply(call, null, [connection(note, answers), ...more]));
    }
  }
  return [...found].map(([text, from]) => ({ text, from }));
}

async function tryCall(call: () => unknown): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, CALL_MS).unref());
  try {
    await Promise.race([call(), limit]);
  } catch {
    // a stand-in was not what the function needs; what it sent before is noted
  }
}

// Takes anything, gives anything: one element when it is gone through.
const anything: object = new Proxy(() => {}, {
  get: (_, key) => LIKE_A_LIST[key] ?? (key === 'then' || key === 'signal' ? undefined : anything),
  apply: () => anything,
  has: () => true,
});

const LIKE_A_LIST: Record<string | symbol, unknown> = {
  [Symbol.iterator]: () => [].values(),
  [Symbol.toPrimitive]: (hint: string) => (hint === 'number' ? 1 : 'x'),
  length: 1,
  size: 1,
  toISOString: () => '2026-01-01T00:00:00.000Z',
  toJSON: () => 'x',
  join: () => 'x',
  keys: () => ['x'],
  values: () => ['x'],
  map: (make: (one: unknown, at: number) => unknown) => [make(anything, 0)],
  flatMap: (make: (one: unknown, at: number) => unknown) => [make(anything, 0)].flat(),
  filter: () => [anything],
  sort: () => [anything],
  slice: () => [anything],
  toSorted: () => [anything],
};

const ARGUMENTS: unknown[][] = [
  Array.from({ length: 8 }, () => anything),
  Array.from({ length: 6 }, () => 'x'),
  ['x', [anything], anything, anything, anything],
  [[anything], anything, anything, anything],
  ['x', 'x', null, null, null, null],
  [null, null, 10, 10],
  ['x', { limit: 10, before: null, after: null, filter: {} }, anything, 10],
  [{ tenantId: 'x', domainId: 'x' }, anything, anything, true, true],
];

function connection(note: (text: string) => void, answers: boolean): object {
  const query = async (asked: string | { text: string }) => {
    note(typeof asked === 'string' ? asked : asked.text);
    return { rows: answers ? [anything] : [], rowCount: answers ? 1 : 0, command: 'COMMIT', fields: [] };
  };
  const nothing = () => {};
  const own = {
    query,
    release: nothing,
    on: nothing,
    off: nothing,
    connection: { on: nothing, off: nothing },
  };
  return { ...own, connect: async () => own, pool: { ...own, connect: async () => own }, asking: own };
}
