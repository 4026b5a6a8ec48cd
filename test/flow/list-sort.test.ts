// Lists in other orders than newest first: every row once over all pages, from an index and never by sorting.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { selectContacts } from '../../core/contact/contact-store.ts';
import type { Queryable } from '../../core/db/pool.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { listSuppressions } from '../../core/suppression/suppression-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login, makePerson } from '../harness/sign-in.ts';

let world: ApiWorld;
let ask: (query: string) => Promise<any>; // oxlint-disable-line typescript/no-explicit-any
let tenantId: string;
const NAMES = ['m.example', 'a.example', 'z.example', 'k.example', 'b.example'];
beforeAll(async () => {
  world = await createApiWorld();
  const made = await world.makeKey({ scopes: [...SCOPES] });
  tenantId = made.tenantId;
  const { token } = await login(world, await makePerson(world, 'member', { tenantId }));
  ask = async (query) => {
    const { json, text } = await world.graphql(query, {}, { key: token });
    if (json.errors) throw new Error(text);
    return json.data;
  };
  const { db } = world.context;
  for (const [at, name] of NAMES.entries()) {
    await makeMessageRow(db, tenantId, { state: 'delivered', to: `x@${name}` });
    await db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key) values ($1, $2, $3, lower($3))`,
      [newUuid(), tenantId, `P@${name}`],
    );
    await db.pool.query(
      `insert into suppressions (tenant_id, email, reason, created_at)
       values ($1, $2, 'manual', now() + make_interval(secs => $3))`,
      [tenantId, `p@${name}`, at >> 1], // two share a time
    );
    await ask(`mutation { createDomain(input: { name: "${name}" }) { domain { id } } }`);
  }
});
afterAll(() => world.close());

/** All rows over pages of two. */
async function rowsOf(list: string, field: string, sort?: string): Promise<string[]> {
  const rows: string[] = [];
  let after = '';
  for (;;) {
    const { [list]: page } = await ask(
      `{ ${list}(first: 2 ${after} ${sort ? `sort: ${sort}` : ''}) {
         edges { node { ${field} } } pageInfo { endCursor hasNextPage } } }`,
    );
    rows.push(
      ...page.edges.map(({ node }: { node: Record<string, string> }) => node[field]!.split('@').pop()!),
    );
    if (!page.pageInfo.hasNextPage) return rows;
    after = `after: "${page.pageInfo.endCursor}"`;
  }
}

test.each([
  ['contacts', 'email', 'oldest'],
  ['suppressions', 'email', 'oldest'],
  ['messages', 'to', 'oldest'],
])('%s, oldest first', async (list, field, sort) => {
  const newest = await rowsOf(list, field);
  expect(newest.toSorted()).toEqual(NAMES.toSorted());
  expect(await rowsOf(list, field, sort)).toEqual(newest.toReversed());
});

test.each([
  ['contacts', 'email', 'address'],
  ['domains', 'name', 'name'],
])('%s in the order of %s', async (list, field, sort) => {
  expect(await rowsOf(list, field, sort)).toEqual(NAMES.toSorted());
});

test('messages oldest first are paged backwards too', async () => {
  const page = await ask(
    `{ messages(last: 2, sort: oldest) { edges { node { to } } pageInfo { startCursor } } }`,
  );
  const to = (of: typeof page) => of.messages.edges.map((edge: { node: { to: string } }) => edge.node.to);
  expect(to(page)).toEqual([`x@${NAMES[3]}`, `x@${NAMES[4]}`]);
  const before = `before: "${page.messages.pageInfo.startCursor}"`;
  expect(to(await ask(`{ messages(last: 2, ${before}, sort: oldest) { edges { node { to } } } }`))).toEqual([
    `x@${NAMES[1]}`,
    `x@${NAMES[2]}`,
  ]);
});

test('a cursor of the order of addresses is none of another order', async () => {
  const { contacts } = await ask('{ contacts(first: 1, sort: address) { pageInfo { endCursor } } }');
  const after = `after: "${contacts.pageInfo.endCursor}"`;
  await expect(ask(`{ contacts(first: 1, ${after}) { edges { cursor } } }`)).rejects.toThrow('not a cursor');
});

/** The plan of the one statement that `read` makes. */
async function planOf(read: (db: Queryable) => Promise<unknown>): Promise<string> {
  const { pool } = world.context.db;
  let statement = { text: '', values: [] as unknown[] };
  const db = {
    async query(given: string | { text: string; values?: unknown[] }, values: unknown[] = []) {
      statement =
        typeof given === 'string'
          ? { text: given, values }
          : { text: given.text, values: given.values ?? values };
      return { rows: [], rowCount: 0 };
    },
  };
  await read(db as unknown as Queryable);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain ${statement.text}`,
    statement.values.length > 0 ? statement.values : undefined,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('each order is that of an index: nothing is sorted', async () => {
  const { pool } = world.context.db;
  const { tenantId: large } = await world.makeKey();
  await pool.query(
    `insert into contacts (id, tenant_id, email, email_key)
     select gen_random_uuid(), $1, n || '@example.net', n || '@example.net' from generate_series(1, 20000) as n`,
    [large],
  );
  await pool.query(
    `insert into suppressions (tenant_id, email, reason, created_at)
     select $1, n || '@example.net', 'manual', now() - make_interval(secs => n) from generate_series(1, 20000) as n`,
    [large],
  );
  await pool.query('analyze contacts; analyze suppressions');
  const contacts = (page: object) =>
    planOf((db) => selectContacts(db, large, { before: null, limit: 100, ...page }));
  const plans = [
    [await contacts({ afterKey: '5' }), 'contacts_email'],
    [await contacts({ after: newUuid() }), 'contacts_'],
    [
      await planOf((db) =>
        listSuppressions(db, large, {
          limit: 100,
          oldestFirst: true,
          before: { createdAt: new Date(), email: '5' },
        }),
      ),
      'suppressions_newest',
    ],
  ] as const;
  for (const [plan, index] of plans) {
    expect(plan).toContain(index);
    expect(plan.split('SubPlan')[0]).not.toContain('Sort');
  }
});
