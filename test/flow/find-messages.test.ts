// Finding messages: every mixture of filters against what a look at all messages finds, page by page and in both
// directions, indexed or not yet; that no page looks at more than it must; and the filters as callers write them.

import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fillMessages, type Filled } from '../../bench/search-fill.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import type { Queryable } from '../../core/db/pool.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { listMessages } from '../../core/message/list-messages.ts';
import type { MessageFilter } from '../../core/message/message-list-store.ts';
import type { MessageSummary } from '../../core/message/message-store.ts';
import { indexMessages, noteLateMessages } from '../../core/message/search/segments.ts';
import { wordsOf } from '../../core/message/search/terms.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login, makePerson } from '../harness/sign-in.ts';

const ROWS = 50_000;
const SMALL_PARTITION = 1_000; // rows; a whole week has 4,100

describe('among 50,000 messages', () => {
  let context: Context;
  let filled: Filled;
  let all: MessageSummary[];
  beforeAll(async () => {
    context = await createContext();
    filled = await fillMessages(context.db.pool, context.env['DATABASE_URL']!, ROWS);
    const page = { limit: ROWS + 1 };
    all = await listMessages(context.db.pool, filled.tenantId, {}, page);
    expect(all).toHaveLength(ROWS);
  }, 180_000);
  afterAll(() => context.close());

  const index = async () => {
    while ((await indexMessages(context.db.pool, new AbortController().signal)) > 0);
    await context.db.pool.query('vacuum analyze message_terms');
  };

  function mixtures(): MessageFilter[] {
    const one = all[31_234]!;
    const { campaigns } = filled;
    const until = all[9_000]!.createdAt;
    const since = all[40_000]!.createdAt;
    return [
      {},
      { to: one.to },
      { to: one.to.slice(2, 9).toUpperCase() },
      { to: '@gmail' },
      { to: '💌@x' },
      { words: wordsOf('has SHIPPED') },
      { words: wordsOf(one.subject) },
      { words: ['orde'] },
      { status: 'delivered' },
      { status: 'sending' },
      { status: 'queued' },
      { status: 'bounced', to: 'gmail' },
      { status: 'delivered', campaignId: campaigns.deferred },
      { status: 'deferred', campaignId: campaigns.deferred, to: 'gmail' },
      { tag: { name: 'kind', value: 'receipt' } },
      { tag: { name: 'vip', value: null } },
      { tag: { name: 'vip', value: 'no' } },
      { tag: one.tags[1]! },
      { domain: 'OLD.example' },
      { domain: 'old.example', tag: { name: 'kind', value: 'news' } },
      { campaignId: campaigns.small },
      { campaignId: newUuid() },
      { since, until, words: ['order'] },
      { since, until, status: 'dropped' },
    ];
  }

  const expected = (filter: MessageFilter) => all.filter((one) => matches(one, filter)).map(({ id }) => id);

  test.each(['not indexed', 'indexed'])(
    '%s: what is found is what matches, newest or oldest first',
    async (how) => {
      if (how === 'indexed') await index();
      for (const filter of mixtures()) {
        const ids = expected(filter);
        const middle = ids[Math.floor(ids.length / 2)];
        const find = async (page: Parameters<typeof listMessages>[3]) =>
          (await listMessages(context.db.pool, filled.tenantId, filter, page)).map(({ id }) => id);
        const what = JSON.stringify(filter);
        expect(await find({ limit: 101 }), what).toEqual(ids.slice(0, 101));
        expect(await find({ limit: 7, oldestFirst: true }), what).toEqual(ids.slice(-7).toReversed());
        if (middle === undefined) continue;
        const at = ids.indexOf(middle);
        expect(await find({ limit: 11, before: middle }), what).toEqual(ids.slice(at + 1, at + 12));
        expect(await find({ limit: 11, after: middle, oldestFirst: true }), what).toEqual(
          ids.slice(Math.max(0, at - 11), at).toReversed(),
        );
      }
      const strange = await makeAnother(context.db.pool);
      expect(await listMessages(context.db.pool, strange, { to: '@gmail' }, { limit: 5 })).toEqual([]);
    },
    120_000,
  );

  test('a page looks at few rows, however many match and wherever it begins', async () => {
    for (const filter of mixtures()) {
      for (const before of [undefined, all[20_000]!.id]) {
        const { db, read } = watched(context.db.pool);
        await listMessages(db, filled.tenantId, filter, { limit: 51, before });
        // A walk along a state is 3,000 rows, a segment 4,096; all messages are 50,000 rows on 1,500 pages, and their
        // indexes as many: what reads those in order reads more than this.
        expect(read.rows, JSON.stringify(filter)).toBeLessThan(20_000);
        expect(read.sequential, JSON.stringify(filter)).toEqual([]);
      }
    }
  });

  test('pages neither skip nor repeat while messages come, some of them late, and change their state', async () => {
    const { pool } = context.db;
    const filter: MessageFilter = { words: ['order'], to: 'web.de' };
    const ids = expected(filter);
    const seen: string[] = [];
    const late: string[] = [];
    let before: string | undefined;
    for (let page = 0; ; page++) {
      const rows = await listMessages(pool, filled.tenantId, filter, { limit: 97, before });
      seen.push(...rows.map(({ id }) => id));
      if (rows.length < 97) break;
      before = rows.at(-1)!.id;
      await copyOf(pool, rows[50]!.id, newUuid());
      if (page === 3) {
        late.push(newerThan(rows[50]!.id), newerThan(ids.at(-20)!)); // one that was passed, one that is still to come
        for (const id of late) await addLate(context, filled.tenantId, rows[50]!.id, id);
      }
      if (page === 5) await indexMessages(pool, new AbortController().signal);
      await pool.query(`update messages set state = 'bounced' where id = any($1::uuid[])`, [ids.slice(-150)]);
    }
    expect(seen.filter((id) => !late.includes(id))).toEqual(ids);
    expect(seen.filter((id) => late.includes(id))).toEqual([late[1]]);
    await index();
    const again = await listMessages(pool, filled.tenantId, filter, { limit: ROWS });
    expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining([...late, ...ids]));
  });
});

function matches(message: MessageSummary, filter: MessageFilter): boolean {
  const { status, to, words = [], domain, campaignId, tag, since, until } = filter;
  const subject = wordsOf(message.subject);
  return (
    (status === undefined || message.status === status) &&
    (to === undefined || message.to.toLowerCase().includes(to.toLowerCase())) &&
    words.every((word) => subject.includes(word)) &&
    (domain === undefined || message.domain === domain.toLowerCase()) &&
    (campaignId === undefined || message.campaignId === campaignId) &&
    (tag === undefined ||
      message.tags.some(({ name, value }) => name === tag.name && (tag.value ?? value) === value)) &&
    (since === undefined || message.createdAt >= since) &&
    (until === undefined || message.createdAt < until)
  );
}

async function makeAnother(pool: pg.Pool): Promise<string> {
  const id = newUuid();
  await pool.query(`insert into tenants (id, name, plan) values ($1, 'Other', 'free')`, [id]);
  return id;
}

// In two statements: Citus 12.1 makes one with a syntax error of INSERT ... SELECT from this table.
async function copyOf(db: Queryable, id: string, as: string): Promise<void> {
  const columns = 'tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags';
  const { rows } = await db.query<Record<string, unknown>>(`select ${columns} from messages where id = $1`, [
    id,
  ]);
  const { tags, ...row } = rows[0]!;
  await db.query(`insert into messages (id, ${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [
    as,
    ...Object.values(row),
    JSON.stringify(tags),
  ]);
}

// As sender/accept/write.ts inserts one whose id was made long before.
const addLate = ({ db }: Context, tenantId: string, like: string, id: string) =>
  inTransaction(db.pool, async (client) => {
    await copyOf(client, like, id);
    await noteLateMessages(client, [{ tenantId, id }], new Date());
  });

function newerThan(id: string): string {
  return `${id.slice(0, -1)}${((Number.parseInt(id.slice(-1), 16) + 1) % 16).toString(16)}`;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

// Explains every statement before it runs. Rows are those that were taken from tables, whether they were kept or not.
function watched(pool: pg.Pool) {
  const read = { rows: 0, sequential: [] as string[] };
  const count = (plan: Plan): void => {
    const table = plan['Relation Name'] ?? '';
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    if (table !== '') read.rows += rows;
    // On a Sunday evening the oldest week has a handful of messages: reading them all is the quickest way.
    const whole =
      plan['Node Type'] === 'Seq Scan' && /^message_?(s|terms)_\d/.test(table) && rows > SMALL_PARTITION;
    if (whole) read.sequential.push(table);
    plan.Plans?.forEach(count);
  };
  const db = {
    async query(given: string | { text: string; values?: unknown[] }, more?: unknown[]) {
      const { text, values } = typeof given === 'string' ? { text: given, values: more } : given;
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
      count(rows[0]['QUERY PLAN'][0].Plan as Plan);
      return pool.query(text, values);
    },
  };
  return { db: db as unknown as Queryable, read };
}

describe('as callers ask', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => world.close());

  test('REST and GraphQL find the same by every filter, of their own tenant only', async () => {
    const person = await makePerson(world, 'owner');
    const { key } = await world.makeKey({ tenantId: person.tenantId, scopes: ['transactional:read'] });
    const { token } = await login(world, person);
    const { db } = world.context;
    const ids: string[] = [];
    for (const [state, to] of [
      ['delivered', 'Ann@example.net'],
      ['bounced', 'bob@example.net'],
    ] as const)
      ids.unshift(toId('msg', await makeMessageRow(db, person.tenantId, { state, to })));
    const other = await world.makeKey();
    await makeMessageRow(db, other.tenantId, { state: 'delivered', to: 'ann@example.net' });

    const at = new Date(Date.now() + 3_600_000).toISOString();
    for (const [filter, found] of [
      [{}, ids],
      [{ to: 'ANN@' }, [ids[1]]],
      [{ to: 'example' }, ids],
      [{ q: 'hello' }, ids],
      [{ q: 'hell' }, []],
      [{ status: 'bounced' }, [ids[0]]],
      [{ tag: 'kind' }, ids],
      [{ tag: 'kind=receipt', to: 'bob' }, [ids[0]]],
      [{ tag: 'kind=news' }, []],
      [{ domain: 'example.com' }, ids],
      [{ domain: 'example.org' }, []],
      [{ campaign_id: toId('cmp', newUuid()) }, []],
      [{ since: at }, []],
      [{ until: at }, ids],
    ] as [Record<string, string>, string[]][]) {
      const rest = await world.call('GET', `/transactional?${new URLSearchParams(filter).toString()}`, {
        key,
      });
      expect(
        rest.json.data.items.map((item: { id: string }) => item.id),
        JSON.stringify(filter),
      ).toEqual(found);
      expect(await byGraphql(token, filter), JSON.stringify(filter)).toEqual(found);
    }
    const { json } = await world.call('GET', '/transactional?limit=1', { key });
    expect(json.data.items[0]).toMatchObject({ id: ids[0], status: 'bounced', domain: 'example.com' });
    expect(json.data.items[0]).not.toHaveProperty('events');
    const next = await world.call('GET', `/transactional?limit=1&after=${json.data.next_cursor}`, { key });
    expect(next.json.data).toMatchObject({ items: [{ id: ids[1] }], next_cursor: null });
  });

  async function byGraphql(token: string, filter: Record<string, string>): Promise<string[]> {
    const { campaign_id: campaignId, ...others } = filter;
    const answer = await world.graphql(
      `query($to: String, $q: String, $status: MessageStatus, $tag: String, $domain: String, $campaignId: ID,
         $since: DateTime, $until: DateTime) {
         messages(to: $to, q: $q, status: $status, tag: $tag, domain: $domain, campaignId: $campaignId, since: $since,
           until: $until) { edges { node { id } } } }`,
      { ...others, ...(campaignId === undefined ? {} : { campaignId }) },
      { key: token },
    );
    return answer.json.data.messages.edges.map((edge: { node: { id: string } }) => edge.node.id);
  }

  test.each([
    ['to', 'an'],
    ['q', '?!'],
    ['status', 'sent'],
    ['tag', ''],
    ['domain', ''],
    ['campaign_id', 'msg_1'],
    ['since', 'yesterday'],
    ['until', '2026-13-01T00:00:00Z'],
    ['to', 'a\0bc'],
    ['limit', '101'],
    ['after', 'x'],
    ['subject', 'x'],
  ])('a bad filter is named: %s=%s', async (name, value) => {
    const { key } = await world.makeKey({ scopes: ['transactional:read'] });
    const query = new URLSearchParams({ [name]: value });
    const { status, json } = await world.call('GET', `/transactional?${query.toString()}`, { key });
    expect(status).toBe(422);
    expect(json.details[0].path).toBe(name);
  });
});
