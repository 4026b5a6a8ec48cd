// Redis Cluster: the gate's keys of one decision share a hash slot, so its scripts run on any master of three; on another
// one when a slot moves, and on the replica when a master dies.

import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createLogger } from '../../core/base/log.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { createGate, type Gate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const CLI = '/usr/bin/redis-cli';
const missing = existsSync(CLI) ? null : 'redis-cli is not installed (apt-get install redis-tools)';
const MOVED = 500; // slots, about four seconds
const folder = mkdtempSync(join(tmpdir(), 'postrider-cluster-'));
const nodes: ChildProcess[] = [];
const addresses: string[] = [];

describe.skipIf(skips(missing))('a cluster of three masters', () => {
  const cli = (...args: string[]) => execFileSync(CLI, args, { stdio: 'pipe' }).toString();
  let redis: RedisConnection;
  let gate: Gate;

  beforeAll(async () => {
    const { path } = (await findBinary(REDIS_BINARY))!;
    for (let i = 0; i < 6; i++) {
      const [port, bus] = [await freePort(), await freePort()];
      const dir = join(folder, String(port));
      mkdirSync(dir);
      const settings = {
        port: String(port),
        'cluster-enabled': 'yes',
        'cluster-port': String(bus),
        'cluster-node-timeout': '2000', // ms of silence after which a replica takes over
        bind: '127.0.0.1',
        dir,
        save: '',
      };
      nodes.push(
        spawn(
          path,
          Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
        ),
      );
      addresses.push(`127.0.0.1:${port}`);
    }
    const isUp = (address: string) => {
      try {
        return cli('-p', address.split(':')[1]!, 'ping').startsWith('PONG');
      } catch {
        return false;
      }
    };
    await waitUntil(() => addresses.every(isUp));
    cli('--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes');
    await waitUntil(() => addresses.every((one) => ask(one, 'cluster', 'info').includes('cluster_state:ok')));
    // A replica that never had its master's data does not take over.
    await waitUntil(() =>
      addresses.every((one) => /role:master|master_link_status:up/.test(ask(one, 'info', 'replication'))),
    );
    const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
    redis = await openRedis({ REDIS_URL: addresses.map((address) => `redis://${address}`) }, log);
    gate = createGate(redis, 'p', log);
  });

  afterAll(async () => {
    await redis?.close();
    for (const node of nodes) node.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (address: string, ...command: string[]) => cli('-p', address.split(':')[1]!, ...command);
  // On a busy machine Redis is now and then too late, and PostgreSQL would decide.
  const decide = async (requests: GateRequest[]) => {
    let verdicts: Awaited<ReturnType<Gate['admit']>> = [];
    await waitUntil(async () => (verdicts = await gate.admit(requests)).every(({ decided }) => decided), {
      what: () => `the gate to decide on all masters:\n${nodesAsTold()}`,
    });
    return verdicts;
  };
  const newRequest = (): GateRequest => ({
    tenantId: newUuid(),
    domainId: newUuid(),
    day: '2026-11-21',
    cap: 3,
    bulkCap: 3,
    known: { used: 0, reserved: 0, bulkUsed: 0 },
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
    while (slotOf(request) - holderOf(request).slots[0]![0] >= MOVED) request = newRequest();
    expect(await decide([request])).toEqual([verdict]);
    const from = holderOf(request);
    const to = masters().find(({ id }) => id !== from.id)!;
    const moving = execFile(CLI, [
      ...['--cluster', 'reshard', from.address, '--cluster-from', from.id, '--cluster-to', to.id],
      ...['--cluster-slots', String(MOVED), '--cluster-yes'],
    ]);
    let isMoving = true;
    const moved = once(moving, 'exit').then(() => (isMoving = false));
    const others = Array.from({ length: 50 }, newRequest);
    for (let n = 0; isMoving; n++) await decide([others[n % 50]!]);
    await moved;
    expect(holderOf(request).id).toBe(to.id);
    expect(await decide([request])).toEqual([verdict]); // again, by the ids that it remembers
  });

  test('a master dies: PostgreSQL decides alone until the replica has taken over', async () => {
    const requests = Array.from({ length: 30 }, newRequest);
    await decide(requests);
    nodes[addresses.indexOf(masters()[0]!.address)]!.kill('SIGKILL');
    expect(await decide(requests)).toEqual(requests.map(() => verdict));
    expect(masters()).toHaveLength(3);
  });

  interface Master {
    id: string;
    address: string;
    slots: [number, number][];
  }

  // Those that live, as a node that lives tells it.
  function masters(): Master[] {
    return nodesAsTold()
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, , flags]) => flags?.includes('master') && !flags.includes('fail'))
      .map(([id = '', address = '', , , , , , , ...slots]) => ({
        id,
        address: address.split('@')[0]!,
        slots: slots
          .filter((range) => !range.startsWith('['))
          .map((range) => range.split('-').map(Number))
          .map(([first = 0, last = first]) => [first, last]),
      }));
  }

  function nodesAsTold(): string {
    return ask(
      addresses.find((_, n) => !nodes[n]!.killed)!,
      'cluster',
      'nodes',
    );
  }

  function slotOf(request: GateRequest): number {
    const key = `p:gate:{${request.tenantId}:${request.domainId}}:${request.day}`;
    return Number(ask(addresses[0]!, 'cluster', 'keyslot', key));
  }

  function holderOf(request: GateRequest): Master {
    const slot = slotOf(request);
    return masters().find(({ slots }) => slots.some(([first, last]) => first <= slot && slot <= last))!;
  }
});
