// Two tenants in two buckets, through every way into one api: each sees and changes what is its own, and every row lies in its
// tenant's bucket.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTenantDatabase } from '../../api/tenant-database.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { publishLive } from '../../core/clients/live.ts';
import { addBucket } from '../../core/db/migrate.ts';
import type { Database } from '../../core/db/pool.ts';
import { HOME, SERVICE_TABLES } from '../../core/db/service-tables.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { toId } from '../../core/base/ids.ts';
import { appendToLog, lockOutbox, takeOutbox } from '../../core/outbox/outbox-store.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { createUser } from '../../core/people/users.ts';
import { createDecorate } from '../../core/tracking/decorate.ts';
import { createUnsubscribeUrl } from '../../core/tracking/unsubscribe-url.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { addEvents } from '../harness/event-rows.ts';
import { openEventStream } from '../harness/event-stream.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login } from '../harness/sign-in.ts';
import { subscribe } from '../harness/sse.ts';
import { mail, signedIn, startSubmission, submit } from '../harness/submission.ts';
import { waitUntil } from '../harness/wait.ts';

const PUBLIC_URL = 'https://api.test';
const PLACES = ['b1', 'b2'];

/** A tenant, its bucket and its people. */
interface Side extends Account {
  db: Database;
  bucket: string;
  email: string;
  password: string;
  key: string;
  token: string;
}

let world: ApiWorld;
let sides: [Side, Side];
beforeAll(async () => {
  world = await createApiWorld({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' });
  const { buckets, env } = world.context;
  const there = await buckets.list();
  for (const place of PLACES.filter((one) => !there.includes(one))) await addBucket(env.DATABASE_URL!, place);
  sides = [await makeSide('b1'), await makeSide('b2')];
});
beforeEach(async () => {
  for (const side of sides) side.key = await keyOf(side); // its own rate limit
});
afterAll(() => world.close());

const keyOf = async ({ tenantId }: Pick<Side, 'tenantId'>) =>
  (await world.makeKey({ tenantId, scopes: [...SCOPES] })).key;

async function makeSide(bucket: string): Promise<Side> {
  const db = world.context.buckets.database(bucket);
  const account = await makeAccount(db);
  const email = `owner@${account.domain}`;
  const role = 'owner';
  const { password } = await createUser(world.context, TESTER, { tenantId: account.tenantId, email, role });
  const { token } = await login(world, { email, password });
  return { ...account, db, bucket, email, password, token, key: '' };
}

/** The bucket tables of a schema that have rows, each with the tenants of its rows. */
async function tenantsIn(bucket: string): Promise<Map<string, Set<string>>> {
  const { pool } = world.context.buckets.home;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t
       on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
     where c.column_name = 'tenant_id' and c.table_schema = $1`,
    [bucket],
  );
  const found = new Map<string, Set<string>>();
  for (const { name } of tables.filter((table) => !SERVICE_TABLES.has(table.name))) {
    const { rows } = await pool.query<{ id: string }>(
      `select distinct tenant_id as id from "${bucket}"."${name}"`,
    );
    if (rows.length > 0) found.set(name, new Set(rows.map(({ id }) => id)));
  }
  return found;
}

const both = <T>(work: (side: Side, other: Side) => Promise<T>) =>
  Promise.all([work(sides[0], sides[1]), work(sides[1], sides[0])]);
const ask = (side: Side, query: string, variables: unknown = {}) =>
  world.graphql(query, variables, { key: side.token });

test('REST: what was made is read by its tenant alone, and one Idempotency-Key is of one tenant', async () => {
  const made = await both(async ({ key, domain }) => {
    const body = { email: `ann@${domain}`, attributes: { of: domain } };
    const headers = { 'idempotency-key': 'the-same' };
    const first = await world.call('POST', '/contacts', { key, body, headers });
    expect(first.status, first.text).toBe(201);
    const again = await world.call('POST', '/contacts', { key, body, headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    return first.json.data.id as string;
  });
  await both(async ({ key }, other) => {
    const { json } = await world.call('GET', '/contacts', { key });
    const ids = json.data.items.map(({ id }: { id: string }) => id);
    const own = made[sides.findIndex((side) => side.key === key)];
    expect(ids).toEqual([own]);
    const theirs = made[sides.indexOf(other)];
    expect((await world.call('GET', `/contacts/${theirs}`, { key })).status).toBe(404);
  });
});

test('requests of both at the same moment keep apart', async () => {
  const asked = Array.from({ length: 20 }, (_, index) => sides[index % 2]!);
  const answers = await Promise.all(asked.map(({ key }) => world.call('GET', '/mail/domains', { key })));
  for (const [index, { json, status }] of answers.entries()) {
    expect(status).toBe(200);
    expect(json.data.items.map(({ name }: { name: string }) => name)).toEqual([asked[index]!.domain]);
  }
});

test('GraphQL: changes and lists are of the bucket of the person who asks', async () => {
  const CREATE =
    'mutation($input: CreateContactListInput!) { createContactList(input: $input) { contactList { id } } }';
  const made = await both(async (side) => {
    const answer = await ask(side, CREATE, { input: { name: `readers of ${side.domain}` } });
    expect(answer.json.errors, answer.text).toBeUndefined();
    return answer.json.data.createContactList.contactList.id as string;
  });
  await both(async (side, other) => {
    const { json } = await ask(side, '{ contactLists(first: 5) { edges { node { name } } } }');
    expect(json.data.contactLists.edges).toEqual([{ node: { name: `readers of ${side.domain}` } }]);
    const ONE = 'query($id: ID!) { node(id: $id) { id } }';
    const foreign = await ask(side, ONE, { id: made[sides.indexOf(other)] });
    expect(foreign.json.data?.node ?? null).toBeNull();
  });
});

test('somebody of both tenants sees that of the session, and the other after the switch', async () => {
  const [one, two] = sides;
  const { email } = one;
  await world.context.db.pool.query(
    "insert into memberships (user_id, tenant_id, role) select id, $2, 'member' from users where email = $1",
    [email, two.tenantId],
  );
  const DOMAINS = '{ domains(first: 5) { edges { node { name } } } }';
  const names = async (key: string) =>
    (await world.graphql(DOMAINS, {}, { key })).json.data.domains.edges.map(
      ({ node }: { node: { name: string } }) => node.name,
    );
  const SWITCH = 'mutation($id: ID!) { switchTenant(input: { tenantId: $id }) { accessToken } }';
  const { token } = await login(world, one);
  const switched = async (key: string, id: string) =>
    (await world.graphql(SWITCH, { id: toId('tnt', id) }, { key })).json.data.switchTenant
      .accessToken as string;
  const first = await switched(token, one.tenantId);
  expect(await names(first)).toEqual([one.domain]);
  expect(await names(await switched(first, two.tenantId))).toEqual([two.domain]);
});

test('a super-admin reads and changes tenants of both buckets', async () => {
  const home = await makeAccount(world.context.buckets.home);
  const email = `root@${home.domain}`;
  const role = 'super_admin';
  const { password } = await createUser(world.context, TESTER, { tenantId: home.tenantId, email, role });
  const { token } = await login(world, { email, password });
  for (const { tenantId, domain } of sides) {
    const { json } = await world.graphql(
      '{ tenant(id: "ID") { quota { used } domains(first: 2) { edges { node { id name warmupDays(days: 1) { used } } } } } }'.replace(
        'ID',
        toId('tnt', tenantId),
      ),
      {},
      { key: token },
    );
    const [{ node }] = json.data.tenant.domains.edges;
    expect(node.name).toBe(domain);
    const path = `/admin/tenants/${toId('tnt', tenantId)}/domains/${node.id}`;
    const body = { action: 'hold', reason: 'a test' };
    const held = await world.call('POST', `${path}/tier`, { key: token, body });
    expect(held.status, held.text).toBe(200);
    const history = await world.call('GET', `${path}/warmup-history`, { key: token });
    expect(history.json.data.items).toHaveLength(1);
  }
  await world.context.buckets.home.pool.query('delete from domains where tenant_id = $1', [home.tenantId]);
});

test('SMTP submission: the message is of the tenant whose key signed in', async () => {
  const submission = await startSubmission(world);
  await both(async ({ key, tenantId, domain }) => {
    const client = await signedIn(submission, key);
    const reply = await submit(client, mail(`Shop <shop@${domain}>`));
    expect(reply).toMatch(/^250/);
    client.close();
    const requests = world.stub.requests.filter((one) => one.tenantId === toId('tnt', tenantId));
    expect(requests.map(({ message }) => message?.from)).toEqual([`Shop <shop@${domain}>`]);
  });
  await submission.stop();
});

test('a stream of events and a live view go on in their bucket; links of mail record there', async () => {
  const opened = await both(async (side) => ({
    stream: await openEventStream(world.port, side.key, '?after=newest'),
    live: await subscribe(world.port, side.token, 'subscription { eventAdded { type messageId } }'),
  }));
  const messages = await both(async (side) => {
    const { db, tenantId, domainId, domain } = side;
    const rcptTo = `reader@${domain}`;
    const id = await makeMessageRow(db, tenantId, { state: 'delivered', domainId, to: rcptTo });
    await db.pool.query("update messages set finished_at = now() - interval '1 minute' where id = $1", [id]);
    await addEvents(db.pool, side, [{ type: 'bounced' }]);
    const written = '<a href="https://shop.example/">A</a>';
    const html = createDecorate(world.context.config)({ id, tenantId }, {}, written);
    const pathOf = (url: string) => `/${url.replace(PUBLIC_URL, '')}`;
    const click = await world.call('GET', pathOf(/href="([^"]+)"/.exec(html)![1]!));
    expect([click.status, click.headers.location]).toEqual([302, 'https://shop.example/']);
    const leave = createUnsubscribeUrl(world.context.config)({ id, tenantId, rcptTo });
    expect((await world.call('POST', pathOf(leave))).status).toBe(200);
    return id;
  });
  for (const { db } of sides) {
    const heads = await inTransaction(db.pool, async (client) => {
      expect(await lockOutbox(client)).toBe(true);
      return appendToLog(client, await takeOutbox(client, 1_000));
    });
    for (const { tenantId } of heads) publishLive(world.deps.nats, tenantId, 'log', {});
  }
  for (const [index, { stream, live }] of opened.entries()) {
    const id = toId('msg', messages[index]!);
    await waitUntil(() => stream.events.some(({ type }) => type === 'bounce'), {
      what: 'the streamed event',
    });
    await live.until(({ eventAdded }) => eventAdded.messageId === id && eventAdded.type === 'click');
    const { db, tenantId } = sides[index]!;
    const { rows } = await db.pool.query('select tenant_id from suppressions');
    expect(rows).toEqual([{ tenant_id: tenantId }]);
    expect(live.received.every(({ eventAdded }) => eventAdded.messageId === id)).toBe(true);
    stream.hangUp();
    live.hangUp();
  }
});

test('every row is in the bucket of its tenant; the first has none', async () => {
  expect([...(await tenantsIn(HOME)).keys()]).toEqual([]);
  for (const { bucket, tenantId } of sides) {
    const found = await tenantsIn(bucket);
    for (const [table, tenants] of found) expect([...tenants], `${bucket}.${table}`).toEqual([tenantId]);
    for (const table of ['domains', 'contacts', 'contact_lists', 'messages', 'events', 'suppressions'])
      expect(found.has(table), `${bucket}.${table}`).toBe(true);
  }
});

test('outside of the work for a tenant the database of a request says what is missing', async () => {
  const { buckets } = world.context;
  const { db, inTenant, inTenantOf } = createTenantDatabase(buckets);
  const schema = async () => (await db.pool.query('select current_schema() as name')).rows[0].name as string;
  await expect(schema()).rejects.toThrow('no tenant');
  for (const { tenantId: id, bucket } of sides) {
    expect(await inTenant({ id, bucket }, schema)).toBe(bucket);
    expect(await inTenantOf(id, schema)).toBe(bucket);
  }
});

test('a tenant that is created in a bucket has its alert rules there', async () => {
  const home = { db: world.context.buckets.home };
  const made = await createTenant(home, TESTER, { name: 'B', plan: 'free', bucket: sides[1].bucket });
  const where = await Promise.all(
    sides.map(async ({ bucket }) => (await tenantsIn(bucket)).get('alert_rules')?.has(made.id) ?? false),
  );
  expect(where).toEqual([false, true]);
});
