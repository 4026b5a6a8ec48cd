// Redis with a replica, under Sentinel: the master dies or freezes, and the gate is fast again on the other one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createLogger } from '../../core/base/log.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { startRedisPair, type RedisPair } from '../../local/cluster/redis.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { startWatchdog, type Watchdog } from '../../local/servers/watchdog.ts';
import { createGate, type Gate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { waitUntil } from '../harness/wait.ts';

let folder: string;
let watchdog: Watchdog;
let pair: RedisPair;
let redis: RedisConnection;
let gate: Gate;

// Anew for each: a sentinel takes up to 20 s to trust a master that came back as a replica.
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-sentinel-'));
  watchdog = startWatchdog();
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  pair = await startRedisPair((await findBinary(REDIS_BINARY))!.path, 'a-password', folder, watchdog);
  redis = await openRedis({ REDIS_URL: pair.url.split(',') }, log);
  gate = createGate(redis, 'p', log);
});

afterEach(async () => {
  await redis?.close();
  await pair?.stop();
  watchdog.close();
  rmSync(folder, { recursive: true, force: true });
});

// Where the gate's script ran: the server says its own port.
async function masterPort(): Promise<number> {
  const source = "return redis.call('INFO', 'server')";
  const info = await redis.run({ name: 'port', source, sha1: '0'.repeat(40) }, ['any'], []);
  return Number(/tcp_port:(\d+)/.exec(String(info))?.[1]);
}

async function isDecided(): Promise<boolean> {
  const request: GateRequest = {
    tenantId: newUuid(),
    domainId: newUuid(),
    day: '2026-11-21',
    cap: 1,
    ordinaryCap: 1,
    bulkCap: 1,
    known: { used: 0, reserved: 0, bulkUsed: 0, bulkReserved: 0 },
    items: Array.from({ length: 2 }, () => ({ id: newUuid(), stream: 'transactional' as const })),
  };
  const [verdict] = await gate.admit([request]);
  if (verdict?.decided) expect(verdict.allowed).toEqual([true, false]);
  return verdict?.decided === true;
}

test.each(['dies', 'freezes'])('the master %s', async (how) => {
  await waitUntil(isDecided, { what: 'the gate to decide by Redis' });
  const port = await masterPort();
  const master = pair.servers.get(port)!;
  await (how === 'dies' ? master.kill() : master.freeze());
  await waitUntil(async () => (await isDecided()) && (await masterPort()) !== port, {
    what: 'the gate to decide by the other Redis',
  });
});
