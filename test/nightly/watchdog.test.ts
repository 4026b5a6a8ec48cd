// A process whose event loop stands still ends and says where it stood; one that was only stopped goes on.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { EXIT_STALLED } from '../../core/base/watchdog.ts';
import { waitUntil } from '../harness/wait.ts';

const HARNESS = join(import.meta.dirname, '../harness');
const STALL_SECONDS = 1;
const running = new Set<ReturnType<typeof start>['child']>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

function start(way: string, before: string[] = []) {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: 'postgres://nowhere',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    INTERNAL_TOKEN: 'a'.repeat(16),
    WATCHDOG_STALL_SECONDS: String(STALL_SECONDS),
  };
  const [program, ...args] = [...before, process.execPath, join(HARNESS, 'blocking-process.ts'), way];
  const child = spawn(program, args, { env });
  running.add(child);
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => String(signal ?? code));
  const up = () => waitUntil(() => written.out.includes('"up"'), { what: () => written.err });
  return { child, written, ended, up };
}

test.each([
  ['endlessLoop', 'spinForEver'],
  ['longRegex', 'matchForEver'],
])('%s: ends with its own code and names the function', async (way, named) => {
  const { written, ended, up } = start(way);
  await up();
  const since = monotonicMs();
  expect(await ended, written.err).toBe(String(EXIT_STALLED));
  expect(monotonicMs() - since).toBeLessThan(STALL_SECONDS * 10_000);
  const line = JSON.parse(written.err.split('\n').find((one) => one.includes('stood still')) ?? '');
  expect(line).toMatchObject({
    level: 'fatal',
    service: 'blocking',
    msg: expect.stringContaining('stood still'),
  });
  expect(line.stack).toMatch(new RegExp(`at ${named} \\(file:.*blocking-process\\.ts:\\d+`));
});

test('in native code: ends all the same, and the line says that the stack could not be read', async () => {
  const { written, ended, up } = start('native');
  await up();
  expect(await ended).toBe('SIGKILL');
  expect(written.err).toContain('stack could not be read');
});

test('a process that was stopped for longer than a stall goes on', async () => {
  const { child, written, ended, up } = start('idle');
  await up();
  for (let times = 0; times < 2; times++) {
    child.kill('SIGSTOP');
    await sleep(STALL_SECONDS * 2_500);
    child.kill('SIGCONT');
    await sleep(STALL_SECONDS * 1_500); // in which a stall would have been seen
  }
  expect([child.exitCode, child.signalCode, written.err]).toEqual([null, null, '']);
  child.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
});

test('a process that waits for a CPU for longer than a stall goes on', async () => {
  const hog = spawn('taskset', ['-c', '0', process.execPath, '-e', 'for(;;);']);
  try {
    const { child, written, ended } = start('work', ['taskset', '-c', '0', 'nice', '-n', '10']);
    await Promise.race([ended, waitUntil(() => written.out.includes('"done"'))]);
    const [up, done] = written.out.split('\n').map((line) => Date.parse(JSON.parse(line || '{}').time));
    expect([written.err, child.exitCode]).toEqual(['', null]);
    expect(done! - up!).toBeGreaterThan(STALL_SECONDS * 2_000); // it was as long as two stalls
    child.kill('SIGTERM');
    await ended;
  } finally {
    hog.kill('SIGKILL');
  }
});

test('with a debugger open, which may stop the loop, nothing is ended', async () => {
  const { child, written, ended, up } = start('debugged');
  await up();
  await Promise.race([ended, waitUntil(() => written.out.includes('"back"'))]);
  expect(written.err).not.toContain('stood still');
  expect(written.out).toContain('"back"');
  child.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
});
