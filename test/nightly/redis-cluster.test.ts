// Redis Cluster: the gate's keys of one decision share a hash slot, so its scripts run on any master of three; on another
// one when a slot moves, and on the replica when a master dies.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createLogger } from '../../core/base/log.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import {
  redisClusterMissing,
  startRedisCluster,
  type Master,
  type RedisCluster,
} from '../../local/cluster/redis-cluster.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { createGate, type Gate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const MOVED = 500; // slots, about four seconds
const folder = mkdtempSync(join(tmpdir(), 'postrider-cluster-'));
const watchdog = startWatchdog();

describe.skipIf(skips(redisClusterMissing()))('a cluster of three masters', () => {
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  let cluster: RedisCluster;
  let redis: RedisConnection;
  let gate: Gate;

  beforeAll(async () => {
    const { path } = (await findBinary(REDIS_BINARY))!;
    const password = randomBytes(8).toString('hex');
    cluster = await startRedisCluster(path, password, folder, watchdog);
    redis = await connect();
    gate = createGate(redis, 'p', log);
  });

  afterAll(async () => {
    await redis?.close();
    await cluster?.stop();
    watchdog.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = () => openRedis({ REDIS_URL: cluster.url.split(',') }, log);
  // On a busy machine Redis is now and then too late, and PostgreSQL would decide.
  const decide = async (requests: GateRequest[], by = gate) => {
    let verdicts: Awaited<ReturnType<Gate['admit']>> = [];
    await waitUntil(async () => (verdicts = await by.admit(requests)).every(({ decided }) => decided), {
      what: 'the gate to decide on all masters',
    });
    return verdicts;
  };
  const newRequest = (): GateRequest => ({
    tenantId: newUuid(),
    domainId: newUuid(),
    day: '2026-11-21',
    cap: 3,
    ordinaryCap: 3,
    bulkCap: 3,
    known: { used: 0, reserved: 0, bulkUsed: 0, bulkReserved: 0 },
    items: Array.from({ length: 5 }, () => ({ id: newUuid(), stream: 'transactional' as const })),
  });
  const verdict = { decided: true, allowed: [true, true, true, false, false] };

  test('the gate decides on every master', async () => {
    const requests = Array.from({ length: 30 }, newRequest);
    expect(await decide(requests)).toEqual(requests.map(() => verdict));
    expect(await gate.refund(requests[0]!, requests[0]!.items)).toBe(3);
  });

  test('a slot that moves is followed, with its counts', async () => {
    // redis-cli moves a node's lowest slots: a domain is wanted that lives in one of those.
    let request = newRequest();
    let from = await holderOf(request);
    while ((await slotOf(request)) - from.slots[0]![0] >= MOVED) {
      request = newRequest();
      from = await holderOf(request);
    }
    expect(await decide([request])).toEqual([verdict]);
    const to = (await cluster.masters()).find(({ id }) => id !== from.id)!;
    let isMoving = true;
    const moved = cluster.moveSlots(from, to, MOVED).finally(() => (isMoving = false));
    const others = Array.from({ length: 50 }, newRequest);
    for (let n = 0; isMoving; n++) await decide([others[n % 50]!]);
    await moved;
    expect((await holderOf(request)).id).toBe(to.id);
    expect(await decide([request])).toEqual([verdict]); // again, by the ids that it remembers
  });

  test('a master dies: PostgreSQL decides alone until the replica has taken over', async () => {
    const requests = Array.from({ length: 30 }, newRequest);
    await decide(requests);
    const [dead] = await cluster.masters();
    await cluster.nodes.get(dead!.port)!.kill();
    // A process that starts now is told of the dead master, too.
    const late = await connect();
    expect(await decide(requests)).toEqual(requests.map(() => verdict));
    expect(await decide(requests, createGate(late, 'p', log))).toEqual(requests.map(() => verdict));
    await late.close();
    expect(await cluster.masters()).toHaveLength(3);
  });

  test('a process that starts before the cluster finds it when it is there', async () => {
    for (const node of cluster.nodes.values()) await node.kill();
    const early = await connect();
    expect(await early.ping()).toBe(false);
    await cluster.untilWhole();
    const requests = Array.from({ length: 30 }, newRequest);
    expect(await decide(requests, createGate(early, 'p', log))).toEqual(requests.map(() => verdict));
    expect(await decide(requests)).toEqual(requests.map(() => verdict));
    await early.close();
  });

  function slotOf(request: GateRequest): Promise<number> {
    return cluster.slotOf(`p:gate:{${request.tenantId}:${request.domainId}}:${request.day}`);
  }

  async function holderOf(request: GateRequest): Promise<Master> {
    const slot = await slotOf(request);
    const masters = await cluster.masters();
    return masters.find(({ slots }) => slots.some(([first, last]) => first <= slot && slot <= last))!;
  }
});
