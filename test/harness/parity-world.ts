// Two tenants that are made alike: one is changed over REST, the other over GraphQL, and what each change did is read.

import { getNamedType, type GraphQLInputObjectType } from 'graphql';

import { buildSchema } from '../../api/graphql/schema.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from './actor.ts';
import type { ApiWorld } from './api-world.ts';
import { makeSignedAccount } from './factories.ts';
import type { Fields, Pair, Side } from './parity-pair.ts';
import { waitUntil } from './wait.ts';

/** What became of a request. Paths are in GraphQL's names. */
export interface Outcome {
  code: string | null;
  paths: string[];
}

/** What a change left behind, without ids, times and whatever else is each tenant's own. */
export interface Trace {
  audit: unknown[];
  notices: unknown[];
  record: unknown;
}

const schema = buildSchema();

/** The names of all mutations. */
export const MUTATIONS = Object.keys(schema.getMutationType()!.getFields());

/** The input type of a mutation; undefined when it has none. */
export function inputOf(mutation: string): GraphQLInputObjectType | undefined {
  const argument = schema.getMutationType()!.getFields()[mutation]!.args[0];
  return argument && (getNamedType(argument.type) as GraphQLInputObjectType);
}

/** Makes a tenant. */
export async function makeSide(world: ApiWorld): Promise<Side> {
  const { db } = world.context;
  const { tenantId, domainId, domain } = await makeSignedAccount(world.context, { tier: 3 });
  const { key } = await world.makeKey({ tenantId, scopes: [...SCOPES] });
  const rest = (method: string, path: string, body?: unknown) => world.call(method, path, { key, body });
  const adminIds = { tenantId: toId('tnt', tenantId), domainId: toId('dom', domainId) };
  const make = async (path: string, body: unknown) => {
    const made = await rest('POST', path, body);
    if (made.status !== 201) throw new Error(`${path}: ${made.text}`);
    return made.json.data.id as string;
  };
  return { tenantId, domainId, domain, adminIds, db, key, rest, make };
}

let addresses = 0;

/** Signs a person of the tenant in; their access token. */
export async function signIn(
  world: ApiWorld,
  tenantId: string,
  role: 'owner' | 'super_admin',
): Promise<string> {
  const email = `p${newUuid()}@example.com`;
  const { password } = await createUser(world.context, TESTER, { tenantId, email, role });
  const answer = await world.graphql(
    'mutation($input: LoginInput!) { login(input: $input) { accessToken } }',
    { input: { email, password } },
    { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } },
  );
  return answer.json.data.login.accessToken as string;
}

/** Asks a pair's route with a GraphQL input. */
export async function askRest(world: ApiWorld, pair: Pair, key: string, input: Fields): Promise<Outcome> {
  const [method = '', template = ''] = pair.route.split(' ');
  const names = new Map(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, pair.params?.[name!] ?? name!]),
  );
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(input[names.get(name)!])),
  );
  const inPath = new Set(names.values());
  const body = Object.entries(input).filter(([name]) => !inPath.has(name));
  const answer = await world.call(method, path, {
    key,
    ...(body.length > 0 || method === 'POST' ? { body: toBody(pair, Object.fromEntries(body)) } : {}),
  });
  if (answer.status < 300) return { code: null, paths: [] };
  const details = (answer.json.details ?? []) as Problem[];
  return { code: answer.json.error, paths: pathsOf(details, (path) => graphqlPath(pair, path)) };
}

/** Asks a pair's mutation. */
export async function askGraphql(world: ApiWorld, pair: Pair, key: string, input: Fields): Promise<Outcome> {
  const type = inputOf(pair.mutation);
  const query = type
    ? `mutation($input: ${type.name}!) { ${pair.mutation}(input: $input) { __typename } }`
    : `mutation { ${pair.mutation} { __typename } }`;
  const { json } = await world.graphql(query, type ? { input } : {}, { key });
  const extensions = json.errors?.[0].extensions as
    | { code: string; details?: { path: string }[] }
    | undefined;
  if (!extensions) return { code: null, paths: [] };
  return { code: extensions.code, paths: pathsOf(extensions.details ?? [], (path) => path) };
}

/** Runs a change and reads what it left behind. */
export async function traced(
  world: ApiWorld,
  pair: Pair,
  side: Side,
  run: () => Promise<Outcome>,
): Promise<Trace & { outcome: Outcome }> {
  const { nats, db } = world.deps;
  const heard: { subject: string; json: unknown }[] = [];
  const stop = nats.subscribe(`live.${side.tenantId}.>`, (json, subject) => heard.push({ subject, json }));
  await flush(world, side, heard);
  heard.length = 0;
  const { rows: before } = await db.pool.query<{ id: string }>(
    'select id from audit_log where tenant_id = $1',
    [side.tenantId],
  );
  const outcome = await run();
  await flush(world, side, heard);
  stop();
  const { rows } = await db.pool.query<{ action: string; subject: string; data: unknown }>(
    'select action, subject, data from audit_log where tenant_id = $1 and id <> all($2) order by id',
    [side.tenantId, before.map(({ id }) => id)],
  );
  const subject = rows[0]?.subject ?? '';
  const read = pair.read && (await side.rest('GET', pair.read.replace('{id}', encodeURIComponent(subject))));
  return {
    outcome,
    audit: plain(side, rows),
    notices: plain(
      side,
      heard.filter((one) => !one.subject.endsWith('.parity')),
    ),
    record: plain(side, read ? { status: read.status, data: read.json.data } : null),
  };
}

// What the api publishes comes in order on one connection: when this has come, all before it has.
async function flush(world: ApiWorld, side: Side, heard: { subject: string }[]): Promise<void> {
  const subject = `live.${side.tenantId}.parity`;
  const ours = () => heard.filter((one) => one.subject.endsWith('.parity')).length;
  const before = ours();
  await waitUntil(
    () => {
      if (ours() > before) return true;
      world.deps.nats.publish(subject, {});
      return false;
    },
    { what: 'our own notice' },
  );
}

// Ids by their kind, times and keys by a word, the tenant's own domain by another.
function plain<T>(side: Side, value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(side.domain, 'DOMAIN')
    .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_ID')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/p=[A-Za-z0-9+/=]+/g, 'p=KEY')
    .replaceAll(/\bpr\d*[0-9a-z]{4,}(?=\._domainkey|")/g, 'SELECTOR');
  return JSON.parse(text) as T;
}

interface Problem {
  path: string;
}

// One field may have several problems; REST reports all of them, GraphQL of U+0000 only the first.
const pathsOf = (details: Problem[], name: (path: string) => string) =>
  [...new Set(details.map(({ path }) => name(path)))].toSorted();

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toBody(pair: Pair, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [pair.renamed?.[name] ?? snake(name), value]),
  );
}

function graphqlPath(pair: Pair, path: string): string {
  const [first = '', ...rest] = path.split(/(?=[.[])/);
  const own = Object.entries(pair.renamed ?? {}).find(([, rest]) => rest === first)?.[0];
  return [own ?? first.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()), ...rest].join(
    '',
  );
}
