// No tenant reads or changes anything of another: every place where an id may be named, with another tenant's id of the
// right kind in a request that works with an own one, and every list. The places are found by walking the route table and
// the schema: one without its row in test/harness/tenancy-places.ts fails.

import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  type GraphQLOutputType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';
import { buildSchema } from '../../api/graphql/schema.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { makeSystemSender } from '../harness/invitations.ts';
import type { Fields } from '../harness/parity-pair.ts';
import { startService, type Service } from '../harness/service.ts';
import {
  GRAPHQL_PLACES,
  GRAPHQL_ROWS,
  PATH_PLACES,
  REST_PLACES,
  REST_ROWS,
} from '../harness/tenancy-places.ts';
import { makeHolding, type Holding } from '../harness/tenancy-things.ts';

let world: ApiWorld;
let mine: Holding;
let theirs: Holding;
let before: Record<string, string>;
let sender: Service; // decides about templates
beforeAll(async () => {
  const port = String(await freePort());
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1', SENDER_ADDRESSES: `127.0.0.1:${port}` });
  sender = await startService('sender', { ...world.context.env, SENDER_GRPC_PORT: port });
  await makeSystemSender(world);
  [mine, theirs] = [await makeHolding(world), await makeHolding(world)];
  before = await rowsOf(theirs);
});
afterAll(async () => {
  await sender.kill();
  await world.close();
});

const PLAN =
  'select table_name as name from information_schema.columns where column_name = $1 and table_schema = any(current_schemas(false))';

/**
 * A hash of what every table has of a tenant, but for when its key was last used, which is written some time after the use, and
 * for the reads of its own contents.
 */
async function rowsOf({ tenantId, db }: Holding): Promise<Record<string, string>> {
  const { rows: tables } = await db.pool.query<{ name: string }>(PLAN, ['tenant_id']);
  const entries = tables.map(async ({ name }): Promise<[string, string]> => {
    const { rows } = await db.pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as hash
       from "${name}" t cross join lateral (select (to_jsonb(t) - 'last_used_at')::text as row) r
       where tenant_id = $1 and coalesce(to_jsonb(t) ->> 'action', '') not like '%.content_read'`,
      [tenantId],
    );
    return [name, rows[0].hash as string];
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('every place that names a thing has its row, and no row is of a place that is gone', () => {
  const names = GRAPHQL_PLACES.map(({ name }) => name);
  expect(Object.keys(GRAPHQL_ROWS).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(REST_ROWS).toSorted()).toEqual([...REST_PLACES].toSorted());
  expect(PATH_PLACES.length).toBeGreaterThan(40);
});

/** A key of its own for each request: one has 60 a minute. */
const keyOf = async ({ tenantId }: Holding) => (await world.makeKey({ tenantId, scopes: [...SCOPES] })).key;

/** `fields` with a value at a path; a list on the way is entered at its first item. */
function put(fields: Fields, [name = '', ...rest]: string[], value: unknown): Fields {
  if (rest.length === 0) return { ...fields, [name]: value };
  const below = fields[name] ?? {};
  if (Array.isArray(below)) return { ...fields, [name]: [put(below[0] as Fields, rest, value)] };
  return { ...fields, [name]: put(below as Fields, rest, value) };
}

const schema = buildSchema();

/** All that an answer can show without arguments, connections to their nodes. */
function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) {
    const objects = isInterfaceType(named) || isUnionType(named) ? schema.getPossibleTypes(named) : [];
    return `{__typename ${objects.map((one) => `... on ${one.name} { __typename }`).join(' ')}}`;
  }
  const below = Object.values(named.getFields()).filter(
    (field) =>
      !field.args.some((one) => isRequiredArgument(one)) &&
      (isLeafType(getNamedType(field.type)) ||
        (depth < 3 && (depth === 0 || ['node', 'edges'].includes(field.name)))),
  );
  return `{__typename ${below.map((field) => field.name + selection(field.type, depth + 1)).join(' ')}}`;
}

/** Whether an answer tells anything of the other tenant but the id that was sent. */
const tells = (answer: Answer, sent: string) => theirs.isIn(answer.text.replaceAll(sent, ''));

const codeOf = (answer: Answer) => answer.json?.errors?.[0]?.extensions?.code as string | undefined;

async function askGraphql(place: (typeof GRAPHQL_PLACES)[number], by: Holding, id: string): Promise<Answer> {
  const { root, field, argument, type, path, list, name } = place;
  const value = list ? [id] : id;
  const given = path.length === 0 ? value : put(GRAPHQL_ROWS[name]?.with?.(by) ?? {}, path, value);
  const rootType = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[root];
  const shown = selection(rootType!.getFields()[field]!.type);
  const query = `${root}($v: ${String(type)}) { ${field}(${argument}: $v) ${shown} }`;
  return world.graphql(query, { v: given }, { key: by.token });
}

// What takes an own thing away comes last; a draft is saved before it is read.
const order = ({ field }: { field: string }) =>
  Number(/^(?:delete|discard|remove|revoke)/.test(field)) - Number(field === 'saveTemplateDraft');
const asked = GRAPHQL_PLACES.filter(({ root }) => root !== 'subscription').toSorted(
  (a, b) => order(a) - order(b),
);

describe.each(asked.map((place) => [place.name, place] as const))('GraphQL: %s', (name, place) => {
  test('with another tenant’s is refused, and with an own one is not', async () => {
    const { kind, filter, operators } = GRAPHQL_ROWS[name]!;
    const answer = await askGraphql(place, mine, theirs.ids[kind]);
    expect(tells(answer, theirs.ids[kind]), answer.text).toBe(false);
    if (operators) return expect(codeOf(answer), answer.text).toBe('forbidden');
    if (codeOf(answer) === 'validation_failed') expect(answer.text).toContain(place.path.at(-1));
    else if (!filter && answer.json.data?.[place.field] !== null)
      expect(codeOf(answer), answer.text).toBe('not_found');
    const own = await askGraphql(place, mine, mine.ids[kind]);
    expect(own.json.data?.[place.field] ?? null, own.text).not.toBeNull();
  });
});

async function askRest(name: string, by: Holding, id: string): Promise<Answer> {
  const [method = '', template = '', where, field = ''] = name.split(' ');
  const kinds = PATH_PLACES.find(({ route }) => route === `${method} ${template}`)?.kinds ?? {};
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, param: string) => by.ids[kinds[param]!]);
  const key = await keyOf(by);
  const body = REST_ROWS[name]?.with?.(by);
  if (where === 'query') return world.call(method, `${path}?${field}=${id}`, { key, ...(body && { body }) });
  const value = field.endsWith('s') ? [id] : id;
  return world.call(method, path, { key, body: put(body ?? {}, field.split('.'), value) });
}

test.each(Object.entries(REST_ROWS))(
  'REST: %s with another tenant’s is refused, and with an own one is not',
  async (name, row) => {
    const answer = await askRest(name, mine, theirs.ids[row.kind]);
    expect(tells(answer, theirs.ids[row.kind]), answer.text).toBe(false);
    if (row.filter) expect(answer.json.data?.items ?? [], answer.text).toEqual([]);
    else if (row.each)
      expect(answer.json.data.items, answer.text).toMatchObject([{ error: 'validation_failed' }]);
    else expect([404, 422], answer.text).toContain(answer.status);
    if (answer.status === 422) expect(answer.text).toContain(name.split('.').at(-1)!.split(' ').at(-1));
    const own = await askRest(name, mine, mine.ids[row.kind]);
    expect(own.status, own.text).toBeLessThan(300);
  },
);

test.each(PATH_PLACES.map(({ route, kinds }) => [route, kinds] as const))(
  'REST: %s with another tenant’s is 404',
  async (route, kinds) => {
    const [method = '', template = ''] = route.split(' ');
    const spec = ROUTES.find((one) => one.method === method && one.path === template)!;
    for (const name of Object.keys(kinds)) {
      const path = template.replaceAll(/\{(\w+)\}/g, (_all, param: string) => {
        const kind = kinds[param];
        return kind === undefined ? '0' : (param === name ? theirs : mine).ids[kind];
      });
      const body = spec.body ? { body: spec.example ?? {} } : {};
      const answer = await world.call(method, path, { key: await keyOf(mine), ...body });
      expect(answer, answer.text).toMatchObject({ status: 404, json: { error: 'not_found' } });
      expect(theirs.isIn(answer.json.message)).toBe(false);
    }
  },
);

test('no list of REST shows anything of another tenant', async () => {
  const lists = ROUTES.filter(
    ({ method, path, access }) =>
      method === 'GET' && access !== 'admin' && !path.includes('{') && !path.endsWith('/stream'),
  );
  let shown = 0;
  for (const { path } of lists) {
    const answer = await world.call('GET', path, { key: await keyOf(mine) });
    expect([answer.status, theirs.isIn(answer.text)], `${path} ${answer.text}`).toEqual([200, false]);
    if (theirs.isIn((await world.call('GET', path, { key: theirs.key })).text)) shown += 1;
  }
  expect(shown).toBeGreaterThan(8); // their own owner sees them there
});

test('no list of GraphQL shows anything of another tenant', async () => {
  const fields = Object.values(schema.getQueryType()!.getFields()).filter(
    (field) => !field.args.some((one) => isRequiredArgument(one)),
  );
  let shown = 0;
  for (const { name, type } of fields) {
    const query = `{ ${name} ${selection(type)} }`;
    const answer = await world.graphql(query, {}, { key: mine.token });
    expect(theirs.isIn(answer.text), `${query} ${answer.text}`).toBe(false);
    expect([undefined, 'forbidden'], `${query} ${answer.text}`).toContain(codeOf(answer));
    if (theirs.isIn((await world.graphql(query, {}, { key: theirs.token })).text)) shown += 1;
  }
  expect(shown).toBeGreaterThan(8);
});

test('after all of this the other tenant has every row as it was', async () => {
  expect(await rowsOf(theirs)).toEqual(before);
});
