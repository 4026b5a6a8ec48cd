import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { freePort, freePortOr } from '../../../local/servers/free-port.ts';
import { LockedError, takeLock } from '../../../local/servers/lock.ts';
import { livePid, writePidFile } from '../../../local/servers/pid-file.ts';
import { choosePorts, freeRow } from '../../../local/start/ports.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

async function occupiedPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('the wanted port when it is free, another when it is taken', async () => {
  const free = await freePort();
  expect(await freePortOr(free)).toBe(free);
  const taken = await occupiedPort();
  expect(await freePortOr(taken)).not.toBe(taken);
});

test('free ports are never given twice, no outgoing connection can have one, and fetch refuses none', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  expect(Math.max(...ports)).toBeLessThan(lowest!);
  const refused = await fetch('http://127.0.0.1:10080/').catch((error: Error) => error.cause);
  expect(String(refused)).toContain('bad port'); // the highest of the WHATWG's list of bad ports
  expect(Math.min(...ports)).toBeGreaterThan(10_080);
});

test('a row of neighbouring ports avoids a taken one, and none of it is given again', async () => {
  const taken = await occupiedPort();
  const first = await freeRow(taken - 2, 4);
  expect(taken < first || taken > first + 3).toBe(true);
  const next = await freePort();
  expect(next < first || next > first + 3).toBe(true);
});

test('ports of the environment are kept as they are', async () => {
  const taken = await occupiedPort();
  const ports = await choosePorts({ API_HTTPS_PORT: `${taken}`, METRICS_PORT: '19464', API_HTTP_PORT: '' });
  expect(ports).toMatchObject({ apiHttps: taken, metrics: 19_464 });
  expect(ports.apiHttp).toBeGreaterThan(0);
});

test('a lock is held against a second start and free again after release', async () => {
  const file = join(await tempFolder(), 'start.lock');
  const lock = await takeLock(file);
  await expect(takeLock(file)).rejects.toThrow(LockedError);
  await lock.release();
  await (await takeLock(file)).release();
});

test('the lock of a process that is gone, or whose pid another one has, is taken over', async () => {
  const file = join(await tempFolder(), 'start.lock');
  const gone = spawnSync('true').pid;
  await writeFile(file, `${gone} 12345\n`);
  await (await takeLock(file)).release();
  await writeFile(file, `${process.pid} 1\n`); // our pid, but a process that started at boot
  await (await takeLock(file)).release();
});

test('only one of many starts at once gets the lock', async () => {
  const file = join(await tempFolder(), 'start.lock');
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(file)));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('a pid file names a process by its start time too', async () => {
  const file = join(await tempFolder(), 'x.pid');
  await writePidFile(file, process.pid);
  expect(await livePid(file)).toBe(process.pid);
  expect(await readFile(file, 'utf8')).toMatch(/^\d+ \d+\n$/);
});
