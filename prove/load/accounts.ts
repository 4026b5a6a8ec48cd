// Makes the tenants of a run before it begins. What only an operator can make (tenants, keys, people) goes as the command
// line makes it; domains, tiers, webhooks, mailboxes and lists go over the public API.

import { service } from '../../core/audit/actor.ts';
import { sleep } from '../../core/base/clock.ts';
import { loadConfig } from '../../core/base/config.ts';
import { toId } from '../../core/base/ids.ts';
import { createLogger } from '../../core/base/log.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createUser } from '../../core/people/users.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import type { DnsRecord } from '../../local/simulator/zone.ts';
import type { Outside } from '../outside.ts';
import type { Stack } from '../stack/stack.ts';
import type { Http } from './http.ts';
import { createSetup, type Setup } from './setup.ts';
import { personAddress, READ_KEYS, SEND_KEYS, type DomainSpec, type TenantSpec } from './world.ts';

/** An API key and its name in the run. */
interface Key {
  name: string;
  value: string;
}

/** A domain that may send. */
interface Domain extends DomainSpec {
  id: string;
}

/** A tenant that is ready. */
export interface Account {
  /** `tnt_…` */
  tenant: string;
  spec: TenantSpec;
  domains: Domain[];
  sendKeys: Key[];
  writeKey: Key;
  readKeys: Key[];
  /** Of its owner, whom the service writes to by itself. */
  login: { email: string; password: string };
  /** Of its inbound webhook. */
  secret: string | null;
  /** `lst_…`, and who is in it and has not unsubscribed. */
  list: { id: string; contacts: string[] } | null;
}

/** All that was made. */
export interface World {
  accounts: Account[];
  adminToken: string;
}

/** What making needs. */
export interface MakeDeps {
  stack: Pick<Stack, 'apis' | 'settings'>;
  outside: Pick<Outside, 'addRecords'>;
  http: Http;
  /** Where inbound webhooks go. */
  webhookUrl: string;
  /** The address of a contact. */
  contact: (tenant: number, n: number) => string;
}

const BY = service('npm run prove');
const UNSUBSCRIBED_EVERY = 10; // of the contacts of a list: mail to one of them is mail that nobody asked for

/** Makes them one after the other: a machine that is busy would take too long for all of them at once. */
export async function makeWorld(deps: MakeDeps, specs: TenantSpec[]): Promise<World> {
  const config = loadConfig(deps.stack.settings);
  const db = openDatabase(
    { ...config, DATABASE_POOL_SIZE: specs.length },
    createLogger({ LOG_LEVEL: 'warn' }, 'prove'),
  );
  try {
    const adminToken = (await createAdminToken({ db }, BY, { name: 'prove' })).value;
    const accounts: Account[] = [];
    for (const [n, spec] of specs.entries()) accounts.push(await makeAccount(deps, db, adminToken, spec, n));
    return { accounts, adminToken };
  } finally {
    await db.close();
  }
}

async function makeAccount(
  deps: MakeDeps,
  db: Database,
  adminToken: string,
  spec: TenantSpec,
  n: number,
): Promise<Account> {
  const { id: tenantId } = await createTenant({ db }, BY, { name: spec.name, plan: spec.plan });
  const key = async (name: string): Promise<Key> => {
    const full = `${spec.name}-${name}`;
    return {
      name: full,
      value: (await createKey({ db }, BY, { tenantId, name: full, scopes: SCOPES })).value,
    };
  };
  // One after the other: each tenant has one connection.
  const keys = async (name: string, count: number) => {
    const made: Key[] = [];
    for (let i = 1; i <= count; i++) made.push(await key(`${name}-${i}`));
    return made;
  };
  const email = personAddress('owner', n);
  const { password } = await createUser({ db }, BY, { tenantId, email, role: 'owner' });
  for (const who of spec.part === 'second-day' ? (['person', 'tester'] as const) : (['person'] as const))
    await createUser({ db }, BY, { tenantId, email: personAddress(who, n), role: 'viewer' });
  const account: Account = {
    tenant: toId('tnt', tenantId),
    spec,
    domains: [],
    sendKeys: await keys('send', SEND_KEYS),
    writeKey: await key('write'),
    readKeys: await keys('read', READ_KEYS),
    login: { email, password },
    secret: null,
    list: null,
  };
  const api = createSetup(deps, account.writeKey.value);
  const admin = createSetup(deps, adminToken);
  for (const domain of spec.domains)
    account.domains.push(await makeDomain(deps, api, admin, account.tenant, domain));
  account.secret = await setUpInbound(deps, api, account);
  if (spec.contacts > 0) account.list = await makeList(api, spec, (i) => deps.contact(n, i));
  return account;
}

async function makeDomain(
  { outside }: MakeDeps,
  api: Setup,
  admin: Setup,
  tenant: string,
  spec: DomainSpec,
): Promise<Domain> {
  const made = await api<{ id: string; records: DnsRecord[] }>('POST', '/mail/domains', { name: spec.name });
  await outside.addRecords(made.records);
  const { status } = await api<{ status: string }>('POST', `/mail/domains/${made.id}/verify`);
  if (status !== 'verified') throw new Error(`${spec.name} is ${status}`);
  const path = `/admin/tenants/${tenant}/domains/${made.id}/tier`;
  if (spec.tier > 0) await admin('POST', path, { tier: spec.tier });
  if (spec.held) await admin('POST', path, { action: 'hold' });
  return { ...spec, id: made.id };
}

async function setUpInbound({ webhookUrl }: MakeDeps, api: Setup, account: Account): Promise<string | null> {
  if (account.spec.inbound === 'webhook') {
    const body = { webhook_url: `${webhookUrl}${account.spec.name}`, enabled: true };
    return (await api<{ secret: string }>('PATCH', '/settings/inbound-webhook', body)).secret;
  }
  if (account.spec.inbound === 'mailbox')
    for (const { name } of account.domains) await api('POST', '/mail/mailboxes', { address: `*@${name}` });
  return null;
}

async function makeList(
  api: Setup,
  spec: TenantSpec,
  contact: (n: number) => string,
): Promise<Account['list']> {
  const people = Array.from({ length: spec.contacts }, (_, n) => ({
    email: contact(n),
    status: n % UNSUBSCRIBED_EVERY === UNSUBSCRIBED_EVERY - 1 ? 'unsubscribed' : 'subscribed',
  }));
  const { id } = await api<{ id: string }>('POST', '/contacts/lists', { name: 'everybody' });
  const body = { contacts: people, list_id: id };
  const upload = await api<{ id: string }>('POST', '/contacts/import', body);
  for (;;) {
    const { status } = await api<{ status: string }>('GET', `/contacts/imports/${upload.id}`);
    if (status === 'completed')
      return { id, contacts: people.filter((one) => one.status === 'subscribed').map((one) => one.email) };
    if (status === 'failed') throw new Error('the contacts could not be imported');
    await sleep(1_500);
  }
}
