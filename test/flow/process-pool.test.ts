// Processes that can be killed: who pays for a bad job, what waits, and what is refused.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createLogger, type Logger } from '../../core/base/log.ts';
import {
  createProcessPool,
  type JobEnd,
  type JobQueue,
  type ProcessPool,
  type ProcessPoolOptions,
  type WaitingJob,
} from '../../core/base/process-pool.ts';
import { waitUntil } from '../harness/wait.ts';

const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');

let pool: ProcessPool<string, string>;
afterEach(() => pool.close());

function open(options: Partial<ProcessPoolOptions<string, string>> = {}, to: Logger = log): void {
  pool = createProcessPool<string, string>(
    {
      what: 'test',
      file: new URL('../harness/pool-child.ts', import.meta.url),
      memory: { oldSpaceMb: 64 },
      processes: 1,
      limitMs: 300,
      perProcess: 8,
      mode: 'batch',
      maxWaiting: 100,
      ...options,
    },
    to,
  );
}

const runAll = (...jobs: string[]): Promise<JobEnd<string>[]> =>
  Promise.all(jobs.map((job) => pool.run(job)));
const pidOf = (end: JobEnd<string>): string =>
  end.kind === 'done' ? (end.result.split(' ').at(-1) ?? '') : end.kind;
const done = (job: string) => ({
  kind: 'done',
  result: expect.stringMatching(new RegExp(`^${job} of \\d+$`)),
});

test('jobs end with their own results, all in as many processes as there may be', async () => {
  open({ processes: 2 });
  const ends = await runAll('a', 'b', 'c', 'd');
  expect(ends).toEqual(['a', 'b', 'c', 'd'].map(done));
  expect(new Set(ends.map(pidOf)).size).toBe(2);
});

test.each([
  ['hang', 'too_slow'],
  ['exit', 'broken'],
  ['eat', 'out_of_memory'],
])('a job that makes its process %s is blamed with %s; those behind it are not', async (deed, why) => {
  open({ limitMs: deed === 'eat' ? 10_000 : 300 });
  const first = pool.run('a'); // alone: the process is not busy yet
  const ends = await runAll('b', deed, 'c');
  expect(await first).toEqual(done('a'));
  expect(ends).toEqual([
    done('b'),
    { kind: 'killed', why, blamed: true },
    { kind: 'killed', why, blamed: false },
  ]);
  expect(await pool.run('d')).toEqual(done('d'));
});

test('a job whose process gets no processor has longer; it is not endless', async () => {
  open();
  const pid = pidOf(await pool.run('a'));
  const standing = pool.run('stand');
  await sleep(900); // three times the limit
  process.kill(Number(pid), 'SIGCONT');
  expect(await standing).toEqual({ kind: 'done', result: `stand of ${pid}` });
  const stopped = pool.run('stand');
  expect(await stopped).toEqual({ kind: 'killed', why: 'too_slow', blamed: true }); // at ten times
});

test('together: the job at work is blamed, and one that is alone', async () => {
  open({ mode: 'together' });
  const ends = await runAll('rest', 'a', 'hang');
  expect(ends.map(({ kind }) => kind)).toEqual(['killed', 'done', 'killed']);
  expect(ends.map((end) => end.kind === 'killed' && end.blamed)).toEqual([false, false, true]);
  expect(await pool.run('hang')).toEqual({ kind: 'killed', why: 'too_slow', blamed: true });
});

test('without a file descriptor left no job is harmed: it waits until there is one', async () => {
  const script = join(import.meta.dirname, '../harness/no-descriptors.ts');
  const run = promisify(execFile)('sh', ['-c', 'ulimit -n 64 && exec "$0" "$1"', process.execPath, script]);
  expect((await run).stdout).toBe('done\n');
});

test('what waits is bounded: one more is refused at once', async () => {
  open({ perProcess: 1, maxWaiting: 2 });
  const ends = runAll('a', 'b', 'c');
  expect(await pool.run('d')).toEqual({ kind: 'refused', why: 'full' });
  expect(await ends).toEqual(['a', 'b', 'c'].map(done));
});

test('a queue of one’s own decides the order, and may give back', async () => {
  const waiting: WaitingJob<string, string>[] = [];
  const queue: JobQueue<WaitingJob<string, string>> = {
    get size() {
      return waiting.length;
    },
    push: (one) => void waiting.push(one),
    shift: () => waiting.pop(),
  };
  open({ perProcess: 1, queue });
  const order: string[] = [];
  const note = (job: string) => pool.run(job).then(({ kind }) => order.push(`${job} ${kind}`));
  const all = ['a', 'b', 'c', 'd'].map(note);
  waiting.splice(1, 1)[0]?.end({ kind: 'returned' });
  await Promise.all(all);
  expect(order).toEqual(['c returned', 'a done', 'd done', 'b done']);
});

test('a process that cannot start harms no job: they wait for one that can', async () => {
  const failures: unknown[] = [];
  open(
    { args: ['break'] },
    Object.assign(Object.create(log) as Logger, { error: (line: unknown) => failures.push(line) }),
  );
  const waiting = pool.run('a');
  await waitUntil(() => failures.length === 2, { what: 'a second try' });
  await pool.close();
  expect(await waiting).toEqual({ kind: 'refused', why: 'closed' });
});

const runs = (pid: string): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

test.each([
  ['jobs', { jobs: 2, bytes: 100, bytesOf: () => 1 }],
  ['bytes', { jobs: 100, bytes: 2, bytesOf: (job: string) => job.length }],
])(
  'a process that had its %s ends when it is done, and the next job goes to a fresh one',
  async (_what, lifetime) => {
    open({ mode: 'together', lifetime });
    const [a, b, c] = [await pool.run('a'), await pool.run('b'), await pool.run('c')];
    expect([a, b, c]).toEqual(['a', 'b', 'c'].map(done));
    expect(pidOf(b)).toBe(pidOf(a));
    expect(pidOf(c)).not.toBe(pidOf(a));
    await waitUntil(() => !runs(pidOf(a)), { what: 'the first process to end' });
    expect(runs(pidOf(c))).toBe(true);
  },
);

test('a process that had much ends when it is idle, and one that had little does not', async () => {
  const lifetime = {
    jobs: 100,
    bytes: 100,
    bytesOf: (job: string) => job.length,
    idle: { bytes: 3, ms: 300 },
  };
  open({ mode: 'together', lifetime });
  const first = pidOf(await pool.run('ab'));
  await sleep(600);
  expect(pidOf(await pool.run('c'))).toBe(first);
  await waitUntil(() => !runs(first), { what: 'the process to end' });
  expect(pidOf(await pool.run('d'))).not.toBe(first);
});

test('what is under way in a worn process is done there, and nothing waits for it', async () => {
  open({ mode: 'together', limitMs: 60_000, lifetime: { jobs: 2, bytes: 100, bytesOf: () => 1 } });
  const first = pidOf(await pool.run('a'));
  const rest = pool.run('rest'); // the last of the first process; it never ends
  const [b, c] = await runAll('b', 'c');
  expect([b, c]).toEqual([done('b'), done('c')]);
  expect(pidOf(b!)).not.toBe(first);
  expect(runs(first)).toBe(true);
  const [late, d] = await runAll('late', 'd');
  expect([late, d]).toEqual([done('late'), done('d')]);
  expect(pidOf(late!)).toBe(pidOf(d!));
  await pool.close();
  expect(await rest).toEqual({ kind: 'refused', why: 'closed' });
});

test('closing refuses what runs, what waits and what comes', async () => {
  open({ perProcess: 1, limitMs: 60_000 });
  const ends = runAll('hang', 'a');
  await pool.close();
  expect(await ends).toEqual([
    { kind: 'refused', why: 'closed' },
    { kind: 'refused', why: 'closed' },
  ]);
  expect(await pool.run('b')).toEqual({ kind: 'refused', why: 'closed' });
});
