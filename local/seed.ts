// What `npm start` needs to send its first message: a tenant, a verified domain, a key, and people who can sign in.
// Starting again finds all of it. Values that the database keeps only as hashes are remembered in .local/seed.json,
// readable by its owner only; what is lost or revoked there is made anew.

import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { service } from '../core/audit/actor.ts';
import type { Config } from '../core/base/config.ts';
import { fromId, newUuid, toId } from '../core/base/ids.ts';
import { createLogger } from '../core/base/log.ts';
import { sha256 } from '../core/base/secrets.ts';
import { openDatabase, type Database } from '../core/db/pool.ts';
import { HOME } from '../core/db/service-tables.ts';
import { createDomainDns } from '../core/domain/dns-lookup.ts';
import type { DomainView } from '../core/domain/domain.ts';
import { markBuiltIn, selectBuiltIn, selectDomainId } from '../core/domain/domain-store.ts';
import { createDomain, getDomain } from '../core/domain/domains.ts';
import { verifyDomain } from '../core/domain/verify-domain.ts';
import { createAdminToken } from '../core/key/admin-tokens.ts';
import { createKey } from '../core/key/keys.ts';
import { selectLiveAdminToken } from '../core/key/admin-token-store.ts';
import { selectLiveKey } from '../core/key/key-store.ts';
import { verifyPassword } from '../core/people/password.ts';
import { SCOPES } from '../core/key/scope.ts';
import { createTenant } from '../core/new-tenant/create-tenant.ts';
import { findTenant } from '../core/tenant/tenants.ts';
import { selectUser, type Role } from '../core/people/membership-store.ts';
import { selectPerson } from '../core/people/user-store.ts';
import { createUser } from '../core/people/users.ts';
import type { SimulatorClient } from './simulator/client.ts';

/** A login of the dashboard. */
interface Login {
  email: string;
  password: string;
}

/** What was found or made. Ids are in their outside form. */
export interface Seeded {
  tenantId: string;
  domainId: string;
  domain: string;
  apiKey: string;
  superAdminToken: string;
  /** Owner of the tenant. */
  dashboard: Login;
  /** Super-admin. */
  admin: Login;
}

/** What seeding needs. */
export interface SeedInput {
  config: Config;
  simulator: Pick<SimulatorClient, 'addRecords'>;
  log: (line: string) => void;
  /** Where seed.json lies: `.local`. */
  folder: string;
}

const DOMAIN = 'demo.test';
const PLAN = 'scale'; // with SSO, and more quota than a load test uses up
const ACTOR = 'npm start';
const BY = service(ACTOR);

const login = z.object({ email: z.string(), password: z.string() });
const memory = z
  .object({
    tenant_id: z.string(),
    api_key: z.string(),
    super_admin_token: z.string(),
    dashboard: login,
    admin: login,
  })
  .partial();
type Memory = z.infer<typeof memory>;

/** Finds or makes everything. The simulator must be up, and the database migrated. */
export async function seed(input: SeedInput): Promise<Seeded> {
  const { config, folder } = input;
  const file = join(folder, 'seed.json');
  const db = openDatabase({ ...config, DATABASE_POOL_SIZE: 2 }, createLogger(config, 'seed'));
  try {
    const known = await remember(file);
    const tenantId = await tenantOf(db, known);
    const domain = await demoDomain(db, tenantId, input);
    const apiKey = await keyOf(db, tenantId, known.api_key);
    const superAdminToken = await adminTokenOf(db, known.super_admin_token);
    const dashboard = await loginOf(db, tenantId, 'owner', known.dashboard);
    const admin = await loginOf(db, tenantId, 'super_admin', known.admin);
    const secrets = { api_key: apiKey, super_admin_token: superAdminToken, dashboard, admin };
    await keep(file, { tenant_id: toId('tnt', tenantId), ...secrets });
    const ids = { tenantId: toId('tnt', tenantId), domainId: toId('dom', domain.id), domain: domain.name };
    return { ...ids, apiKey, superAdminToken, dashboard, admin };
  } finally {
    await db.close();
  }
}

async function tenantOf(db: Database, known: Memory): Promise<string> {
  const id = fromId('tnt', known.tenant_id);
  if (id !== null && (await findTenant(db, id))) return id;
  const builtIn = await selectBuiltIn(db.pool);
  return builtIn?.tenantId ?? (await createTenant({ db }, BY, { name: 'Demo', plan: PLAN, bucket: HOME })).id;
}

// Whatever its status: a domain that was paused, or cannot be verified, stops no start.
async function demoDomain(db: Database, tenantId: string, input: SeedInput): Promise<DomainView> {
  const { config, simulator } = input;
  const log = createLogger({ LOG_LEVEL: 'error' }, 'seed');
  const deps = { db, config, log, dns: createDomainDns(config) };
  const id = await selectDomainId(db.pool, tenantId, DOMAIN);
  const domain = id ? await getDomain(deps, tenantId, id) : await createDomain(deps, BY, tenantId, DOMAIN);
  await markBuiltIn(db.pool, tenantId, domain.id);
  const mailServer = { type: 'A', name: config.INBOUND_HOSTNAME, value: '127.0.0.1' } as const;
  await simulator.addRecords([
    ...domain.records.map(({ type, name, value, priority }) => ({ type, name, value, priority })),
    mailServer, // the simulator accepts mail to people of DOMAIN, and of every domain that has the same MX
  ]);
  const verified = await verifyDomain(deps, BY, tenantId, domain.id);
  if (verified.status !== 'verified') input.log(`${DOMAIN} is not verified. ${problemsOf(verified)}`);
  return verified;
}

function problemsOf({ problem, records }: DomainView): string {
  return [problem, ...records.map((record) => record.problem)].filter(Boolean).join(' ');
}

async function keyOf(db: Database, tenantId: string, known: string | undefined): Promise<string> {
  const live = known === undefined ? null : await selectLiveKey(db.pool, sha256(known));
  const isGood = live?.tenant.id === tenantId && SCOPES.every((scope) => live.key.scopes.includes(scope));
  if (known !== undefined && isGood) return known;
  return (await createKey({ db }, BY, { tenantId, name: 'npm start', scopes: SCOPES })).value;
}

async function adminTokenOf(db: Database, known: string | undefined): Promise<string> {
  if (known !== undefined && (await selectLiveAdminToken(db.pool, sha256(known)))) return known;
  return (await createAdminToken({ db }, BY, { name: 'npm start' })).value;
}

async function loginOf(db: Database, tenantId: string, role: Role, known: Login | undefined): Promise<Login> {
  const person = known && (await selectPerson(db.pool, known.email));
  const isHere = known && (await selectUser(db.pool, tenantId, { email: known.email }))?.role === role;
  if (isHere && (await verifyPassword(known.password, person?.passwordHash ?? null))) return known;
  const name = role === 'owner' ? 'owner' : 'admin';
  const isTaken = (await selectPerson(db.pool, `${name}@${DOMAIN}`)) !== null;
  const email = isTaken ? `${name}-${newUuid().slice(-6)}@${DOMAIN}` : `${name}@${DOMAIN}`;
  return { email, password: (await createUser({ db }, BY, { tenantId, email, role })).password };
}

async function remember(file: string): Promise<Memory> {
  try {
    return memory.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return {}; // the first start, or a file that somebody spoilt: all of it can be made anew
  }
}

async function keep(file: string, known: Memory): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(known, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
