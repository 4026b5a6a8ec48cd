// Part "import": a CSV file of 5 columns through POST /contacts/import into PostgreSQL, beside the statement that
// puts contacts fed with rows that are ready; and the memory that api and scheduler need for it.

import { readFile } from 'node:fs/promises';
import { request } from 'node:https';

import { sleep } from '../core/base/clock.ts';
import { fromId, newUuid } from '../core/base/ids.ts';
import { putContacts } from '../core/contact-import/put-store.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { createKey } from '../core/key/keys.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { residentMb } from './stack/service.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { service } from '../core/audit/actor.ts';

const FILE_BYTES = 100 * 1024 * 1024 - 200; // just within what an upload may be
const QUICK_BYTES = 12 * 1024 * 1024;
const ROWS_PER_SECOND = 20_000;
const GROWTH_MB = 60; // of the scheduler from the first quarter of the import to the last: garbage, not rows
const ABOVE_IDLE_MB = 200; // of the api while 100 MB stream through it
const PIECE_ROWS = 1_000;
const LOOK_MS = 200;
const RAW_BATCHES = 50;
const RAW_ROWS = 2_000;

/** Runs the part. */
export async function measureImport(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { api: true, scheduler: true, part: 'import' });
  try {
    const watch = watchMemory(stack);
    const startedAt = performance.now();
    const { id, bytes } = await upload(bench, stack);
    const uploadS = (performance.now() - startedAt) / 1000;
    bench.log(`upload of ${(bytes / 1e6).toFixed(0)} MB: ${uploadS.toFixed(1)} s`);
    const { total, seconds } = await untilEnded(stack, id);
    const memory = await watch.stop();
    const raw = await putReadyRows(stack);
    return [
      {
        id: 'import.rows',
        what: 'Contacts imported from CSV of 5 columns',
        detail: `${total} rows, ${(bytes / 1e6).toFixed(0)} MB, from the 202 to the last row`,
        value: total / seconds,
        unit: '/s',
        target: { atLeast: ROWS_PER_SECOND },
        raw: { what: 'the put statement with rows that are ready', value: raw, unit: '/s' },
      },
      {
        id: 'import.upload',
        what: 'Upload stored durably',
        value: bytes / 1e6 / uploadS,
        unit: '/s',
        detail: 'MB',
      },
      {
        id: 'import.memory.api',
        what: 'Most memory of the api above what it needs when idle',
        value: Math.max(...memory.api) - memory.api[0]!,
        unit: 'MB',
        target: { atMost: ABOVE_IDLE_MB },
      },
      {
        id: 'import.memory.scheduler',
        what: 'Growth of the scheduler from the first quarter of the import to the last',
        detail: `${Math.max(...memory.scheduler).toFixed(0)} MB at most`,
        value: growth(memory.scheduler),
        unit: 'MB',
        target: { atMost: GROWTH_MB },
      },
    ];
  } finally {
    await stack.close();
  }
}

async function upload(bench: Bench, stack: Stack): Promise<{ id: string; bytes: number }> {
  const tenantId = fromId('tnt', stack.seed.tenants[0]!.id)!;
  const scopes = ['contacts:write', 'contacts:read'];
  const key = await createKey(stack, service('bench'), { tenantId, name: 'import', scopes });
  const ca = await readFile(stack.caFile);
  const limit = bench.options.quick ? QUICK_BYTES : FILE_BYTES;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key.value}`, 'content-type': 'text/csv' };
    const outgoing = request(`${stack.apiUrl}/api/v1/contacts/import`, { method: 'POST', headers, ca });
    let bytes = 0;
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { data } = JSON.parse(text) as { data?: { id: string } };
        if (incoming.statusCode === 202 && data) resolve({ id: data.id, bytes });
        else reject(new Error(`the upload was answered with ${incoming.statusCode}: ${text}`));
      });
    });
    void (async () => {
      for (const piece of pieces(limit)) {
        bytes += piece.length;
        if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained));
      }
      outgoing.end();
    })();
  });
}

function* pieces(limit: number): Generator<Buffer> {
  yield Buffer.from('email,first_name,last_name,city,plan\n');
  for (let row = 0, bytes = 0; ;) {
    const rows: string[] = [];
    for (let i = 0; i < PIECE_ROWS; i++, row++)
      rows.push(
        `person${row}@mail${row % 50}.example,Name${row % 977},Lastname${row % 1009},City${row % 300},pro\n`,
      );
    const piece = Buffer.from(rows.join(''));
    bytes += piece.length;
    if (bytes > limit) return;
    yield piece;
  }
}

async function untilEnded(stack: Stack, id: string): Promise<{ total: number; seconds: number }> {
  for (;;) {
    const { rows } = await stack.db.pool.query<{ total: number; status: string; seconds: number }>(
      `select total, status, extract(epoch from finished_at - created_at)::float8 as seconds
       from contact_imports where id = $1 and finished_at is not null`,
      [fromId('imp', id)],
    );
    const [ended] = rows;
    if (ended && ended.status !== 'completed') throw new Error(`the import ended as ${ended.status}`);
    if (ended) {
      // created_at is the begin of the upload; the first row is worked on after its end.
      const { rows: begun } = await stack.db.pool.query<{ seconds: number }>(
        `select extract(epoch from (select max(created_at) - min(created_at) from contacts))::float8 as seconds`,
      );
      return { total: ended.total, seconds: begun[0]!.seconds };
    }
    await sleep(LOOK_MS);
  }
}

async function putReadyRows(stack: Stack): Promise<number> {
  const tenantId = fromId('tnt', stack.seed.tenants[1]!.id)!;
  const batches = Array.from({ length: RAW_BATCHES }, (_, b) =>
    Array.from({ length: RAW_ROWS }, (__, i) => {
      const email = `ready${b * RAW_ROWS + i}@mail.example`;
      const attributes = { city: `City${i % 300}`, plan: 'pro' };
      const names = { firstName: `Name${i % 977}`, lastName: `Lastname${i % 1009}` };
      return {
        id: newUuid(),
        email,
        emailKey: email,
        ...names,
        attributes,
        tags: null,
        status: null,
        suppress: null,
        suppressedAt: null,
      };
    }),
  );
  const startedAt = performance.now();
  for (const contacts of batches)
    await inTransaction(stack.db.pool, (client) =>
      putContacts(client, { tenantId, contacts, updateExisting: false, listId: null }),
    );
  return (RAW_BATCHES * RAW_ROWS) / ((performance.now() - startedAt) / 1000);
}

interface Memory {
  /** MB, one sample after the other. */
  api: number[];
  scheduler: number[];
}

function watchMemory(stack: Stack): { stop(): Promise<Memory> } {
  const memory: Memory = { api: [], scheduler: [] };
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      memory.api.push(await residentMb(stack.api!.pid));
      memory.scheduler.push(await residentMb(stack.scheduler!.pid));
      await sleep(LOOK_MS);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return memory;
    },
  };
}

function growth(samples: number[]): number {
  const quarter = Math.ceil(samples.length / 4);
  return Math.max(...samples.slice(-quarter)) - Math.max(...samples.slice(0, quarter));
}
