// What `npm start` puts into the database: complete the first time, found again the next, made anew where it is lost.

import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromId } from '../../core/base/ids.ts';
import { sha256 } from '../../core/base/secrets.ts';
import { createSigningDomains } from '../../core/domain/signing-domains.ts';
import { revokeKey } from '../../core/key/keys.ts';
import { selectLiveAdminToken } from '../../core/key/admin-token-store.ts';
import { selectLiveKey } from '../../core/key/key-store.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { hasSso } from '../../core/tenant/plan.ts';
import { selectUser } from '../../core/people/membership-store.ts';
import { seed, type Seeded, type SeedInput } from '../../local/seed.ts';
import { simulatorClient } from '../../local/simulator/client.ts';
import { startSimulator, type Simulator } from '../../local/simulator/start-simulator.ts';
import { createContext, type Context } from '../harness/context.ts';
import { TESTER } from '../harness/actor.ts';

let context: Context;
let simulator: Simulator;
let folder: string;
beforeAll(async () => {
  simulator = await startSimulator();
  context = await createContext({
    DNS_SERVERS: `127.0.0.1:${simulator.dnsPort}`,
    INBOUND_HOSTNAME: 'mx.postrider.test',
  });
  folder = await mkdtemp(join(tmpdir(), 'seed-'));
});
afterAll(async () => {
  await simulator.stop();
  await context.close();
  await rm(folder, { recursive: true });
});

const run = (more: Partial<SeedInput> = {}): Promise<Seeded> =>
  seed({
    config: context.config,
    simulator: simulatorClient(simulator.httpPort),
    log: () => {},
    folder,
    ...more,
  });
const live = (key: string) => selectLiveKey(context.db.pool, sha256(key));

test('everything that the first message needs, and the same again after a restart', async () => {
  const first = await run();
  const key = await live(first.apiKey);
  expect(key?.key.scopes).toEqual([...SCOPES]);
  expect(hasSso(key!.tenant.plan)).toBe(true);
  expect(await selectLiveAdminToken(context.db.pool, sha256(first.superAdminToken))).not.toBeNull();
  const { buckets, config, log } = context;
  const ids = [fromId('tnt', first.tenantId)!, fromId('dom', first.domainId)!] as const;
  const db = buckets.database(await buckets.ofTenant(ids[0]));
  expect(await selectUser(db.pool, ids[0], { email: first.dashboard.email })).toMatchObject({
    role: 'owner',
  });
  expect(await selectUser(db.pool, ids[0], { email: first.admin.email })).toMatchObject({
    role: 'super_admin',
  });
  const domain = await createSigningDomains({ config, db, log }).get(...ids);
  expect(domain).toMatchObject({
    name: first.domain,
    status: 'verified',
    dkimKeys: [{ algorithm: 'rsa-sha256' }],
  });
  const { rows } = await db.pool.query('select built_in from domains');
  expect(rows).toEqual([{ built_in: true }]);
  expect((await stat(join(folder, 'seed.json'))).mode & 0o777).toBe(0o600);
  expect(await run()).toEqual(first);
});

test('mail to its people comes to the simulator', async () => {
  const { dashboard } = await run();
  const dns = new Resolver();
  dns.setServers([`127.0.0.1:${simulator.dnsPort}`]);
  const [mx] = await dns.resolveMx(dashboard.email.split('@')[1]!);
  expect(await dns.resolve4(mx!.exchange)).toEqual(['127.0.0.1']);
});

test('a paused domain, and one that cannot be verified, stop no start', async () => {
  const first = await run();
  const { pool } = context.db;
  await pool.query(`update domains set warmup_state = 'paused', paused_reason = 'bounces'`);
  expect(await run()).toEqual(first);
  const { rows } = await pool.query('select status, warmup_state, paused_reason from domains');
  expect(rows).toEqual([{ status: 'verified', warmup_state: 'paused', paused_reason: 'bounces' }]);
  await pool.query(`update domains set status = 'failed', warmup_state = 'active', paused_reason = null`);
  const lines: string[] = [];
  const away = { ...context.config, DNS_SERVERS: ['127.0.0.1:1'] };
  expect(await run({ config: away, log: (line) => lines.push(line) })).toEqual(first);
  expect(lines).toEqual([expect.stringMatching(/^demo.test is not verified\. ./)]);
});

test('a revoked key and a lost file are replaced, the tenant and its domain stay', async () => {
  const first = await run();
  await revokeKey(context, TESTER, { keyId: (await live(first.apiKey))!.key.id });
  const second = await run();
  expect(second).toEqual({ ...first, apiKey: second.apiKey });
  expect(await live(second.apiKey)).not.toBeNull();
  await writeFile(join(folder, 'seed.json'), '{ broken');
  const third = await run();
  expect(third).toMatchObject({ tenantId: first.tenantId, domainId: first.domainId });
  expect(third.dashboard.email).not.toBe(first.dashboard.email);
  expect(await live(third.apiKey)).not.toBeNull();
});
