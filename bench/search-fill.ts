// Millions of messages of one tenant, for the part "search": twelve weeks of receipts and newsletters, with a campaign
// of a fifth of all in one day, a small one, and a large one at the end that the cap has deferred.

import type pg from 'pg';

import { newUuid } from '../core/base/ids.ts';
import { migrate } from '../core/db/migrate.ts';

/** What was filled in. */
export interface Filled {
  tenantId: string;
  campaigns: { large: string; small: string; deferred: string };
}

const WEEKS = 12;
const PIECE = 250_000; // rows of one INSERT

/** Fills a database that is empty. */
export async function fillMessages(pool: pg.Pool, databaseUrl: string, rows: number): Promise<Filled> {
  await migrate(databaseUrl);
  const tenantId = newUuid();
  const campaigns = { large: newUuid(), small: newUuid(), deferred: newUuid() };
  await pool.query(`select ensure_partitions(now() - interval '${WEEKS} weeks', ${WEEKS + 1})`);
  await pool.query(`insert into tenants (id, name, plan) values ($1, 'bench', 'scale')`, [tenantId]);
  for (let from = 1; from <= rows; from += PIECE) {
    const to = Math.min(from + PIECE - 1, rows);
    await pool.query(FILL, [
      tenantId,
      from,
      to,
      rows,
      campaigns.large,
      campaigns.small,
      campaigns.deferred,
      newUuid(),
    ]);
  }
  await pool.query('vacuum analyze messages');
  return { tenantId, campaigns };
}

// i counts from the oldest to the newest; r is random within 0 to 1, the same in every run.
const FILL = `
  insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, campaign_id, tags,
    created_at, claimed_by)
  select overlay(overlay(uuid_floor(at)::text placing lpad(to_hex(i % 4096), 3, '0') from 16) placing
      right(md5(i::text), 12) from 25)::uuid,
    $1, $8, case when campaign is null then 'transactional' else 'bulk' end, state,
    case when i < $4 / 100 and i % 10 = 0 then 'Old <a@old.example>' when h % 10 < 7 then 'Shop <a@shop.example>'
      else 'News <a@news.example>' end,
    (array['ann','bob','carla','dimitri','eva','farid','greta','hiro','ines','jonas','katarzyna','luis','maria','nils',
      'olga','pedro','quentin','rosa','stefan','tomas'])[1 + h % 20] || '.' ||
    (array['meyer','smith','garcia','kowalski','rossi','tanaka','okafor','jensen','dupont','novak'])[1 + h / 20 % 10] ||
    (h / 200 % 100000) || '@' ||
    (array['gmail.com','gmail.com','gmail.com','outlook.com','yahoo.com','web.de','icloud.com','corp.example'])[1 + h % 8],
    case when campaign is not null then 'News of the week for you'
      when i % 3 = 0 then 'Your order ' || 1000000 + i || ' has shipped'
      when i % 3 = 1 then 'Invoice ' || 5000000 + i || ' of your subscription' else 'Reset your password' end,
    campaign,
    jsonb_build_array(jsonb_build_object('name', 'kind', 'value', case when campaign is null then 'receipt' else 'news' end),
        jsonb_build_object('name', 'user', 'value', (h % 1000000)::text))
      || case when i % 100000 = 7 then '[{"name":"vip","value":"yes"}]'::jsonb else '[]'::jsonb end,
    at, case when state = 'sending' then $8::uuid end
  from (
    select i, at, h, r, campaign,
      case when campaign = $7 then 'deferred' when i > $4 * 0.99999 then 'sending' when r < 0.02 then 'bounced'
        when r < 0.03 then 'dropped' when r < 0.0301 then 'expired' when r < 0.03011 then 'cancelled' else 'delivered' end
        as state
    from (
      select i, now() - (1 - i::float8 / $4) * interval '${WEEKS} weeks' - interval '1 minute' as at,
        ('x' || left(md5('h' || i), 7))::bit(28)::int as h,
        ('x' || left(md5('r' || i), 7))::bit(28)::int / 268435456.0 as r,
        case when i > $4 * 0.4 and i <= $4 * 0.6 then $5::uuid when i > $4 * 0.9 and i <= $4 * 0.99 then $7::uuid
          when i > $4 * 0.2 and i % 2000 = 0 and i <= $4 * 0.3 then $6::uuid end as campaign
      from generate_series($2::int, $3::int) i) numbers) described`;
