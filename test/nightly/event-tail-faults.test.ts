// Eight processes record events with clocks that are off by up to a minute, in transactions that stay open for seconds, roll
// back and are killed; dispatchers are killed in the middle of theirs. Followers read by pages, by streams that break, and
// some types only. Their lists are the table's: none missing, none twice, and what one writer committed after another thing
// comes after it.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { openEventStream } from '../harness/event-stream.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { startService } from '../harness/service.ts';
import { testBucket } from '../harness/test-database.ts';
import { waitUntil } from '../harness/wait.ts';

const SECONDS = longForm(5, 120);
const WRITERS = 8;
const WRITER = join(import.meta.dirname, '../harness/event-writer.ts');

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ INBOUND_PARSERS: '1' });
});
afterAll(() => world.close());

interface Seen {
  id: string;
  type: string;
  data: { writer: string; n: number };
}

test(
  'a follower’s list is the table’s, whatever happens to writers and dispatchers',
  { timeout: (SECONDS + 180) * 1000 },
  async () => {
    const tenant = await makeAccount(world.context.db);
    const { pool } = world.context.db;
    const over = new AbortController();
    const done = new AbortController();
    const seen: Record<string, Seen[]> = { pages: [], broken: [], bounces: [] };
    const followers = [
      followPages(tenant, seen['pages']!, done.signal),
      followStreams(tenant, '', seen['broken']!, done.signal),
      followStreams(tenant, '?types=bounce', seen['bounces']!, done.signal),
    ];
    const faults = [
      ...Array.from({ length: WRITERS }, (_, i) => keepWriting(tenant, i, over.signal)),
      keepDispatching(over.signal),
      killDispatchers(over.signal),
    ];
    onTestFinished(async () => {
      over.abort();
      done.abort();
      await Promise.allSettled([...followers, ...faults]);
    });
    await waitUntil(async () => (await pool.query('select from event_log_heads')).rowCount === 1);
    await sleep(SECONDS * 1000);
    over.abort();
    await Promise.all(faults);
    const last = await startService('inbound', world.context.env);
    await waitUntil(async () => (await pool.query('select from event_outbox')).rowCount === 0);
    const { rows } = await pool.query<{ id: string; type: string }>(
      `select id, type from events where tenant_id = $1`,
      [tenant.tenantId],
    );
    expect(rows.length).toBeGreaterThan(SECONDS * 50);
    const bounced = rows.filter((row) => row.type === 'bounced').length;
    const counts = () => Object.values(seen).map((events) => new Set(events.map((event) => event.id)).size);
    await waitUntil(() => String(counts()) === String([rows.length, rows.length, bounced]), {
      what: () => `${String([rows.length, rows.length, bounced])}, there are ${String(counts())}`,
    });
    done.abort();
    await Promise.all(followers);
    await last.stop();

    for (const [name, events] of Object.entries(seen)) {
      expect(events.length, `${name}: none twice`).toBe(new Set(events.map((event) => event.id)).size);
      expect(outOfOrder(events), name).toEqual([]);
    }
    expect(seen['broken']!.map((event) => event.id)).toEqual(seen['pages']!.map((event) => event.id));
    console.info(`${rows.length} events followed`);
  },
);

/** Events that come before one that their writer committed earlier. */
function outOfOrder(events: Seen[]): Seen[] {
  const latest = new Map<string, number>();
  return events.filter(({ data: { writer, n } }) => {
    const before = latest.get(writer) ?? -1;
    latest.set(writer, n);
    return n <= before;
  });
}

/** A writer that is killed at some moment and started again, until it is over. */
async function keepWriting(tenant: Account, number: number, over: AbortSignal): Promise<void> {
  const { domainId } = await makeAccount(world.context.db);
  const clockMs = Math.round(((number / (WRITERS - 1)) * 2 - 1) * 60_000);
  for (let life = 0; !over.aborted; life++) {
    const args = [
      WRITER,
      world.context.env['DATABASE_URL']!,
      testBucket(),
      tenant.tenantId,
      domainId,
      String(clockMs),
      `${number}.${life}`,
    ];
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([ended, new Promise((resolve) => child.stdout!.once('data', resolve))]); // its first commit
    await Promise.race([ended, sleep(randomInt(1_000, 5_000), over)]);
    child.kill('SIGKILL');
    await ended;
  }
}

/** Dispatchers that die in the transaction of their first batch, or right after it. */
async function keepDispatching(over: AbortSignal): Promise<void> {
  for (let i = 0; !over.aborted; i++) {
    const TEST_FAILPOINTS = i % 2 === 0 ? 'dispatch.before-commit' : 'dispatch.after-commit';
    const doomed = await startService(
      'inbound',
      { ...world.context.env, TEST_FAILPOINTS },
      { until: 'started' },
    );
    await Promise.race([doomed.ended, sleep(60_000, over)]);
    await doomed.kill();
  }
}

/** A dispatcher that works until it is killed at some moment. */
async function killDispatchers(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const doomed = await startService('inbound', world.context.env);
    await sleep(randomInt(500, 3_000), over);
    await doomed.kill();
  }
}

const newKey = async ({ tenantId }: Account) =>
  (await world.makeKey({ tenantId, scopes: ['events:read'] })).key;

async function followPages(tenant: Account, seen: Seen[], done: AbortSignal): Promise<void> {
  let key = await newKey(tenant);
  let cursor = '';
  while (!done.aborted) {
    const { status, json } = await world.call('GET', `/events?order=asc&limit=100&wait=1${cursor}`, { key });
    if (status === 429) key = await newKey(tenant);
    if (status !== 200) continue;
    seen.push(...json.data.items);
    cursor = `&after=${json.data.next_cursor}`;
  }
}

/** Streams that break at any moment, each going on after the last event of the one before. */
async function followStreams(tenant: Account, query: string, seen: Seen[], done: AbortSignal): Promise<void> {
  let key = await newKey(tenant);
  let last: string | undefined;
  while (!done.aborted) {
    const stream = await openEventStream(
      world.port,
      key,
      query,
      last === undefined ? {} : { 'Last-Event-ID': last },
    );
    if (stream.status === 429) key = await newKey(tenant);
    await Promise.race([waitUntil(() => stream.ended() !== null), sleep(randomInt(100, 1_500), done)]);
    stream.hangUp();
    await waitUntil(() => stream.ended() !== null);
    seen.push(...stream.events.map((event) => event.data));
    last = stream.events.at(-1)?.cursor ?? last;
  }
}
