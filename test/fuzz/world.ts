// What is fuzzed: a real api, sender and inbound, an account that has one of everything, and who asks: keys, people,
// operators, another tenant, nobody.

import { newUuid, toId } from '../../core/base/ids.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { makeDkimKeys } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createUser } from '../../core/people/users.ts';
import { createParserPool, type ParserPool } from '../../inbound/parse/parser-pool.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { makeSent } from '../harness/inbound-world.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import { ask, parse, type Asked, type Came } from './ask.ts';
import { withThings, type Thing } from './hostile.ts';

const PARSE_LIMIT_MS = 10_000; // hostile mail of a few kilobytes needs milliseconds, beside other tests too
const NO_DNS = '127.0.0.1:9'; // nobody answers there, at once

/** Who asks. */
export const CALLERS = ['key', 'person', 'admin', 'stranger', 'nobody'] as const;

/** One of them: of the account, but for the stranger, who has a key of another tenant. */
export type Caller = (typeof CALLERS)[number];

/** Everything that runs. */
export interface FuzzWorld {
  stack: Stack;
  account: Account;
  services: Record<'api' | 'sender' | 'inbound', Service>;
  /** As inbound has it. */
  parser: ParserPool;
  /** What cases may name, by its name. */
  things: Map<Thing, string>;
  /** Asks as somebody, with things in place of their names. A new credential follows a 401 or 429. */
  ask(caller: Caller, asked: Asked): Promise<Came>;
  /** An API key of the account. */
  key(): Promise<string>;
  /** Makes what the cases before may have deleted. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it. */
export async function openFuzzWorld(): Promise<FuzzWorld> {
  const stack = await createStack({
    api: true,
    env: { LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1', GRAPHQL_INTROSPECTION: 'true' },
  });
  const { context, api } = stack;
  const inbound = await startService('inbound', { ...context.env, ...writeTestCertificate() });
  const parser = createParserPool(
    { processes: 1, limitMs: PARSE_LIMIT_MS, dnsServers: [NO_DNS], hostname: 'mx.test' },
    context.log,
  );
  const [account, other] = [await stack.makeAccount({ tier: 10 }), await stack.makeAccount({ tier: 3 })];
  const port = Number(api!.env['API_HTTPS_PORT']);
  const credentials = createCredentials(stack, port, account, other);
  const things = new Map<Thing, string>();
  const send = async (caller: Caller, asked: Asked) => {
    const token = await credentials.of(caller);
    const headers = {
      'x-forwarded-for': freshAddress(),
      ...asked.headers,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const path = withThings(asked.path, things);
    const body = typeof asked.body === 'string' ? withThings(asked.body, things) : asked.body;
    const came = await ask(port, { ...asked, path, headers, ...(body !== undefined && { body }) });
    if (isRefused(came)) credentials.forget(caller);
    return came;
  };
  const world: FuzzWorld = {
    stack,
    account,
    services: { api: api!, sender: stack.senders[0]!, inbound },
    parser,
    things,
    ask: send,
    key: async () => (await credentials.of('key'))!,
    refresh: () => refresh(world),
    close: async () => {
      await parser.close();
      await inbound.kill();
      await stack.close();
    },
  };
  await world.refresh();
  return world;
}

// GraphQL says in its body what REST says by its status.
function isRefused(came: Came): boolean {
  if (typeof came === 'string') return false;
  return [401, 429].includes(came.status) || /"code":"(?:unauthorized|rate_limited)"/.test(came.text);
}

function createCredentials(stack: Stack, port: number, account: Account, other: Account) {
  const { context } = stack;
  const keyOf = async ({ tenantId }: Account) =>
    (await createKey(context, TESTER, { tenantId, name: 'fuzz', scopes: [...SCOPES] })).value;
  const makers: Record<Caller, () => Promise<string | null>> = {
    key: () => keyOf(account),
    stranger: () => keyOf(other),
    admin: async () => (await createAdminToken(context, TESTER)).value,
    person: () => signIn(stack, port, account.tenantId),
    nobody: async () => null,
  };
  const known = new Map<Caller, Promise<string | null>>();
  return {
    of: (caller: Caller) => {
      const token = known.get(caller) ?? makers[caller]();
      known.set(caller, token);
      return token;
    },
    forget: (caller: Caller) => void known.delete(caller),
  };
}

async function signIn({ context }: Stack, port: number, tenantId: string): Promise<string> {
  const email = `p${newUuid()}@example.com`;
  const { password } = await createUser(context, TESTER, { tenantId, email, role: 'owner' });
  const query = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  const came = await ask(port, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
    body: JSON.stringify({ query, variables: { input: { email, password } } }),
  });
  const token = /"accessToken":"([^"]+)"/.exec(typeof came === 'string' ? came : came.text)?.[1];
  if (token === undefined) throw new Error(`nobody can sign in: ${JSON.stringify(came)}`);
  return token;
}

let addresses = 0;

/** An address that no limit knows: 10.0.0.0/8, as the proxy that we play reports it. */
function freshAddress(): string {
  const n = ++addresses;
  return `10.${(n >> 16) % 256}.${(n >> 8) % 256}.${n % 256}`;
}

async function refresh(world: FuzzWorld): Promise<void> {
  const { account, things, stack } = world;
  const unique = newUuid().slice(-12);
  const create = async (thing: Thing, path: string, body: unknown) => {
    const came = await world.ask('key', {
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const made = typeof came === 'string' ? undefined : (parse(came.text) as { data?: { id?: string } });
    if (made?.data?.id !== undefined) things.set(thing, made.data.id);
  };
  things.set('from', `shop@${account.domain}`);
  things.set('domain', account.domain);
  things.set('tnt', toId('tnt', account.tenantId));
  things.set('dom', toId('dom', account.domainId));
  await reviveDomain(stack, account);
  things.set('mailbox', `box${unique}@${account.domain}`);
  await create('mbx', '/mail/mailboxes', { address: `box${unique}@${account.domain}` });
  await create('tpl', '/templates', { name: `t${unique}`, subject: 's', text: 't {{ name }}' });
  await create('lst', '/contacts/lists', { name: `l${unique}` });
  await create('con', '/contacts', { email: `c${unique}@sink.test` });
  await create('whk', '/webhooks', { url: 'http://127.0.0.1:9/', event_types: ['*'] });
  const campaign = { name: 'C', from: '‹from›', subject: 's', text: 't', audience: { all: true } };
  await create('cmp', '/campaigns', campaign);
  const sent = await makeSent(stack.context, account, { rcptTo: `r${unique}@sink.test` });
  things.set('msg', toId('msg', sent.id));
  things.set('bounce', sent.returnPath);
  things.set('complaint', `complaints@bounces.${account.domain}`);
}

// A case may have deleted or changed the domain under which everything else is.
async function reviveDomain({ context }: Stack, account: Account): Promise<void> {
  const [sealKey] = deriveKeys(context.config, 'secret-box');
  const keys = await makeDkimKeys({ tenantId: account.tenantId, ed25519: false, sealKey });
  await inTransaction(context.db.pool, async (client) => {
    const { rows } = await client.query<{ is_new: boolean }>(
      `insert into domains (id, tenant_id, name, status, tier, verified_at) values ($1, $2, $3, 'verified', 10, now())
       on conflict (id) do update
         set status = 'verified', verified_at = now(), warmup_state = 'active', inbound_enabled = true
       returning xmax = 0 as is_new`,
      [account.domainId, account.tenantId, account.domain],
    );
    if (rows[0]!.is_new) await insertKeys(client, account, 'active', keys);
  });
}
