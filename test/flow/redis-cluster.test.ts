// Redis Cluster: the gate's keys of one decision share a hash slot, so its scripts run on any node of three.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createLogger } from '../../core/base/log.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis } from '../../core/clients/redis.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { createGate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const CLI = '/usr/bin/redis-cli';
const missing = existsSync(CLI) ? null : 'redis-cli is not installed (apt-get install redis-tools)';
const folder = mkdtempSync(join(tmpdir(), 'postrider-cluster-'));
const nodes: ChildProcess[] = [];
const addresses: string[] = [];

describe.skipIf(skips(missing))('a cluster of three nodes', () => {
  beforeAll(async () => {
    const { path } = (await findBinary(REDIS_BINARY))!;
    for (let i = 0; i < 3; i++) {
      const [port, bus] = [await freePort(), await freePort()];
      const dir = join(folder, String(port));
      mkdirSync(dir);
      const settings = {
        port: String(port),
        'cluster-enabled': 'yes',
        'cluster-port': String(bus),
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
    const cli = (...args: string[]) => execFileSync(CLI, args, { stdio: 'pipe' }).toString();
    const isUp = (address: string) => {
      try {
        return cli('-p', address.split(':')[1]!, 'ping').startsWith('PONG');
      } catch {
        return false;
      }
    };
    await waitUntil(() => addresses.every(isUp));
    cli('--cluster', 'create', ...addresses, '--cluster-yes');
    const port = addresses[0]!.split(':')[1]!;
    await waitUntil(() => cli('-p', port, 'cluster', 'info').includes('cluster_state:ok'));
  });

  afterAll(() => {
    for (const node of nodes) node.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('the gate decides on every node', async () => {
    const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
    const redis = await openRedis({ REDIS_URL: addresses.map((address) => `redis://${address}`) }, log);
    const gate = createGate(redis, 'p', log);
    const requests = Array.from({ length: 30 }, (): GateRequest => ({
      tenantId: newUuid(),
      domainId: newUuid(),
      day: '2026-11-21',
      cap: 3,
      bulkCap: 3,
      known: { used: 0, reserved: 0, bulkUsed: 0 },
      items: Array.from({ length: 5 }, () => ({ id: newUuid(), stream: 'transactional' as const })),
    }));
    const verdict = { decided: true, allowed: [true, true, true, false, false] };
    await waitUntil(async () => (await gate.admit([requests[0]!]))[0]!.decided);
    expect(await gate.admit(requests)).toEqual(requests.map(() => verdict));
    expect(await gate.refund(requests[0]!, requests[0]!.items)).toBe(3);
    await redis.close();
  });
});
