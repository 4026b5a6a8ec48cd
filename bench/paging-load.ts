// Part "paging": pages of a tenant's lists at the start and deep inside, of 5 million rows each. A page is found by its
// cursor, so it must cost the same at any depth; the median at each is held against the first page's.
// One list is filled, measured and dropped after the other.

import pg from 'pg';

import { newUuid } from '../core/base/ids.ts';
import { selectAudit } from '../core/audit/audit-store.ts';
import { selectContacts } from '../core/contact/contact-store.ts';
import { migrate } from '../core/db/migrate.ts';
import { selectFeed } from '../core/message/event-feed-store.ts';
import { listMessages } from '../core/message/list-messages.ts';
import { listSuppressions } from '../core/suppression/suppression-store.ts';
import { selectDeliveryLog } from '../core/webhook/delivery-log-store.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';

const ROWS = 5_000_000;
const QUICK_ROWS = 500_000;
const DEPTHS = [0, 0.02, 0.2, 0.98]; // of 5 million: the first page, 100,000, a million, 4.9 million
const PAGE = 101; // a page of 100 and the row that shows that there is more
const TRIES = 200; // at each depth, in turns; prepared statements get their lasting plan after five
const WARM_UP = 10;
const SPREAD_PERCENT = 20;
const PIECE = 250_000; // rows of one INSERT
const WEEKS = 8;

/** Where a page begins: below this row; null at the start. */
type Cursor = { id: string; at: Date } | null;

interface List {
  name: string;
  table: string;
  /** Columns, and their values of row `i` with id `id` at `at`; $1 is the tenant. */
  columns: string;
  values: string;
  /** The key that a cursor has, and its order. */
  key?: string;
  order?: string;
  page(pool: pg.Pool, tenantId: string, cursor: Cursor): Promise<unknown[]>;
}

const HASHED = `'c' || i || '@mail' || i % 4 || '.test'`;
const LISTS: List[] = [
  {
    name: 'messages',
    table: 'messages',
    columns:
      'id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, created_at, finished_at',
    values: `id, $1, $1, 'transactional', case when i % 50 = 0 then 'bounced' else 'delivered' end, 'a@shop.example',
      ${HASHED}, 'Your order ' || i, '[]', at, at`,
    page: (pool, tenantId, cursor) => listMessages(pool, tenantId, {}, { limit: PAGE, before: cursor?.id }),
  },
  {
    name: 'messages that bounced',
    table: 'messages',
    columns:
      'id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, created_at, finished_at',
    values: `id, $1, $1, 'transactional', case when i % 50 = 0 then 'bounced' else 'delivered' end, 'a@shop.example',
      ${HASHED}, 'Your order ' || i, '[]', at, at`,
    page: (pool, tenantId, cursor) =>
      listMessages(pool, tenantId, { status: 'bounced' }, { limit: PAGE, before: cursor?.id }),
  },
  {
    name: 'events',
    table: 'events',
    columns: 'id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data',
    values: `id, $1, (array['delivered','delivered','delivered','open','click','bounced'])[1 + i % 6], id, $1, ${HASHED},
      at, '{}'`,
    page: (pool, tenantId, cursor) =>
      selectFeed(pool, tenantId, {
        types: ['delivered', 'open', 'click', 'bounced', 'complaint'],
        limit: PAGE,
        before: cursor?.id,
      }),
  },
  {
    name: 'deliveries of a webhook',
    table: 'webhook_deliveries',
    columns: 'id, tenant_id, endpoint_id, event_id, event_type, body, state, attempts, created_at',
    values: `id, $1, $1, id, 'message.delivered', '{}', 'accepted', 1, at`,
    key: 'created_at, id',
    order: 'created_at desc, id desc',
    page: (pool, tenantId, cursor) =>
      selectDeliveryLog(pool, tenantId, tenantId, { limit: PAGE, ...(cursor && { before: cursor }) }),
  },
  {
    name: 'contacts',
    table: 'contacts',
    columns: 'id, tenant_id, email, email_key, created_at',
    values: `id, $1, ${HASHED}, ${HASHED}, at`,
    page: (pool, tenantId, cursor) =>
      selectContacts(pool, tenantId, { limit: PAGE, before: cursor?.id ?? null }),
  },
  {
    name: 'suppressions',
    table: 'suppressions',
    columns: 'tenant_id, email, reason, created_at',
    values: `$1, ${HASHED}, 'bounce', at`,
    key: 'created_at, email as id',
    order: 'created_at desc, email desc',
    page: (pool, tenantId, cursor) =>
      listSuppressions(pool, tenantId, {
        limit: PAGE,
        ...(cursor && { before: { createdAt: cursor.at, email: cursor.id } }),
      }),
  },
  {
    name: 'audit log',
    table: 'audit_log',
    columns: 'id, tenant_id, actor, action, subject, data, at',
    values: `id, $1, 'bench', 'contact.created', 'ctc_' || i, '{}', at`,
    page: (pool, tenantId, cursor) => selectAudit(pool, tenantId, { limit: PAGE, before: cursor?.id }),
  },
];

/** Runs the part. */
export async function measurePaging(bench: Bench): Promise<Figure[]> {
  const name = bench.freshName();
  const url = new URL(bench.servers.databaseUrl);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  const options = '-c session_replication_role=replica'; // rows without their triggers and references
  const filling = new pg.Pool({ connectionString: url.href, max: 1, options });
  const pool = new pg.Pool({ connectionString: url.href, max: 1 }); // as one connection of an api sees it
  for (const one of [filling, pool]) one.on('error', () => {}); // when the database goes
  try {
    await migrate(url.href);
    const tenantId = newUuid();
    await pool.query(`select ensure_partitions(now() - interval '${WEEKS} weeks', ${WEEKS + 1})`);
    await pool.query(`insert into tenants (id, name, plan) values ($1, 'bench', 'scale')`, [tenantId]);
    const figures: Figure[] = [];
    let filled = '';
    for (const list of LISTS) {
      if (list.table !== filled) {
        if (filled !== '') await filling.query(`truncate ${filled} cascade`);
        await fill(filling, list, tenantId, bench.options.quick ? QUICK_ROWS : ROWS);
        filled = list.table;
      }
      const figure = await measureList(pool, list, tenantId, bench.options.quick ? QUICK_ROWS : ROWS);
      bench.log(`${figure.what}: ${figure.detail}`);
      figures.push(figure);
    }
    return figures;
  } finally {
    await Promise.all([filling.end(), pool.end()]);
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

async function fill(
  pool: pg.Pool,
  { table, columns, values }: List,
  tenantId: string,
  rows: number,
): Promise<void> {
  for (let from = 1; from <= rows; from += PIECE) {
    await pool.query(
      `insert into ${table} (${columns})
       select ${values} from (
         select i, at, overlay(overlay(uuid_floor(at)::text placing lpad(to_hex(i % 4096), 3, '0') from 16) placing
             right(md5(i::text), 12) from 25)::uuid as id
         from (select i, now() - (1 - i::float8 / $4) * interval '${WEEKS} weeks' - interval '1 minute' as at
               from generate_series($2::int, $3::int) i) numbered) made`,
      [tenantId, from, Math.min(from + PIECE - 1, rows), rows],
    );
  }
  await pool.query(`vacuum analyze ${table}`);
}

async function measureList(
  pool: pg.Pool,
  { name, table, page, key, order }: List,
  tenantId: string,
  rows: number,
): Promise<Figure> {
  const cursors: Cursor[] = [];
  for (const depth of DEPTHS) {
    const { rows: found } = await pool.query<{ id: string; created_at?: Date }>(
      `select ${key ?? 'id'} from ${table} where tenant_id = $1 order by ${order ?? 'id desc'} offset $2 limit 1`,
      [tenantId, Math.round(depth * rows)],
    );
    const { id, created_at: at = new Date(0) } = found[0]!;
    cursors.push(depth === 0 ? null : { id, at });
  }
  const times = cursors.map((): number[] => []);
  for (let n = -WARM_UP; n < TRIES; n += 1) {
    for (const [at, cursor] of cursors.entries()) {
      const startedAt = performance.now();
      const found = await page(pool, tenantId, cursor);
      if (found.length === 0) throw new Error(`a page of ${name} at ${DEPTHS[at]} of it is empty`);
      if (n >= 0) times[at]!.push(performance.now() - startedAt);
    }
  }
  const medians = times.map((ms) => ms.toSorted((a, b) => a - b)[TRIES / 2]!);
  const deepest = Math.max(...medians.slice(1));
  const shown = DEPTHS.map((depth, at) => `${medians[at]!.toFixed(2)} ms at ${Math.round(depth * rows)}`);
  return {
    id: `paging.${table}${name === table ? '' : `.${name.replaceAll(' ', '-')}`}`,
    what: `A page of ${name}: the slowest depth over the first page`,
    detail: shown.join(', '),
    value: (deepest / medians[0]! - 1) * 100,
    unit: '%',
    target: { atMost: SPREAD_PERCENT },
  };
}
