// What a statement that inserts events does besides: each of them goes into the outbox, and the figures of its day are counted.
// In the same statement, so that they are there together or not at all, and without a trigger, which Citus cannot run on
// rows of a statement. Who inserts events does it with this; there is no other way in.
//
// The triggers `events_count` and `events_outbox` do the same for services of the release before, beside which this one may
// run: COUNTED_HERE tells them that they have nothing to do. They go one release later.

import { HERE } from '../db/citus-forms.ts';
import { ratedOriginSql, simulatedSql } from './rated.ts';

/**
 * In FROM of what inserts events or messages, or of a CTE that it reads: their triggers have nothing to do, the statement does
 * it. It must be read before the rows are inserted, because PostgreSQL asks for it when the INSERT is done. Holds to the end
 * of the transaction. On a cluster it must not stand in the INSERT (HERE of core/db/citus-forms.ts).
 */
export const COUNTED_HERE = `set_config('postrider.counted', 'on', true) as counted_here`;

/** What a CTE `event`, which has read COUNTED_HERE, must return for `eventEffects`. */
export const EVENT_COLUMNS =
  'returning id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data';

/** The place in the outbox of a row that names it (`overriding system value`). On a cluster the coordinator counts. */
export const NEXT_SEQ = `nextval('event_outbox_seq_seq')`;

interface Inserted {
  /** FROM that gives `attempts`, `stream` and `origin` of the message of `a`, as `m`, as the statement leaves it. */
  message?: string;
  /** Whether there may be opens and clicks among them. */
  engagements?: boolean;
  /** CTEs that lock other rows of figures, in this order, and return a row for each: they come before the rows of a domain's day. */
  after?: string[];
}

// As it was before this statement; looked up once, and LIMIT 1 keeps that a look-up by id, not a join over all partitions.
const STORED_MESSAGE = `left join lateral (select m.attempts, m.stream, m.origin from messages m
  where m.id = a.message_id and m.tenant_id = a.tenant_id and (a.data ? 'mx' or a.type in ('bounced', 'complaint'))
  limit 1) m on true`;

// The first open or click by a person, those of this statement left out by their ids: PostgreSQL does not show them in `events`
// yet, Citus may.
const FIRSTS = `
  firsts as materialized (
    select h.id from (
      select tenant_id, message_id, type, (min(id::text))::uuid as id from event
      where type in ('open', 'click') and is_human(type, data) group by 1, 2, 3) h
    where not exists (select 1 from events e where e.message_id = h.message_id and e.tenant_id = h.tenant_id
      and e.type = h.type and is_human(e.type, e.data) and e.id not in (select id from event))),`;
const FIRST = 'id in (select id from firsts)';

const INFRASTRUCTURE = ['reputation_block', 'auth_failed', 'sender_rejected', 'relay_denied', 'protocol'];
const UNKNOWN = ['invalid_recipient', 'inactive_mailbox', 'invalid_domain', 'null_mx'];
const BLOCKED = ['reputation_block', 'spam_block', 'policy'];

// The figures of a day in `domain_days`, each as what is counted. The classes are those of
// core/mail/bounce/bounce-classes.ts; test/flow/brake.test.ts compares them.
function figures(engagements: boolean): Record<string, string> {
  const first = (type: string) => (engagements ? count(`type = '${type}' and ${FIRST}`) : '0');
  const refused = `is_of_day and class not in (${list(INFRASTRUCTURE)})`;
  const unknown = `is_of_day and class in (${list(UNKNOWN)})`;
  const blocked = `is_of_day and class in (${list(BLOCKED)})`;
  return {
    sent: count('is_first_attempt'),
    delivered: `${count(`type = 'delivered'`)} - count(delivered_at)`,
    bounced: count(`type = 'bounced'`),
    hard_bounced: count(`type = 'bounced' and data ->> 'kind' = 'hard'`),
    complained: count(`type = 'complaint'`),
    opened: first('open'),
    clicked: first('click'),
    machine_opened: count(`type = 'open' and not is_human(type, data)`),
    machine_clicked: count(`type = 'click' and not is_human(type, data)`),
    unsubscribed: count(`type = 'unsubscribe'`),
    deferred: count(`type = 'deferred' and data ->> 'reason' = 'warmup_cap'`),
    refused: count(refused),
    unknown: count(unknown),
    blocked: count(blocked),
    tx_sent: count('is_tx and is_first_attempt'),
    tx_delivered: `${count(`is_tx and type = 'delivered'`)} - count(delivered_at) filter (where is_tx)`,
    tx_refused: count(`is_tx and ${refused}`),
    tx_unknown: count(`is_tx and ${unknown}`),
    tx_blocked: count(`is_tx and ${blocked}`),
    tx_complained: count(`is_tx and type = 'complaint'`),
  };
}

/**
 * CTEs to stand behind a CTE `event` that inserts events, and last of all: the rows of a domain's day are locked last everywhere.
 * Citus runs CTEs that write in the order of the text, PostgreSQL in the reverse order or when another one asks: so `after`.
 */
export function eventEffects({
  message = STORED_MESSAGE,
  engagements = false,
  after = [],
}: Inserted = {}): string {
  const before = after.map((name) => `(select count(*) from ${name})`).join(' + ');
  const counted = figures(engagements);
  const names = Object.keys(counted);
  return `
  numbered as materialized (select id, tenant_id, type, ${NEXT_SEQ} as seq from event),
  outboxed as (
    insert into event_outbox (seq, id, tenant_id, type) overriding system value
    select seq, id, tenant_id, type from numbered, ${HERE}),
  ${engagements ? FIRSTS : ''}
  known as materialized (
    select a.*, ${simulatedSql('a.recipient')} as simulated,
      -- 'mx' stands in what one of our own attempts came to, never in a report.
      a.data ? 'mx' and coalesce(m.attempts = 1, false) as is_first_attempt,
      coalesce(m.stream = 'transactional', false) as is_tx,
      coalesce(a.data ->> 'class', '') as class,
      -- A message that was delivered and returned moves from delivered to bounced on the day of the delivery.
      case when a.type = 'bounced' and a.data ->> 'source' = 'dsn' then
        (select e.occurred_at from events e where e.message_id = a.message_id and e.tenant_id = a.tenant_id
           and e.type = 'delivered' limit 1) end as delivered_at,
      case when a.type = 'bounced' and coalesce(m.attempts > 1 or a.data ->> 'source' = 'dsn', false) then
        (select t.at from message_attempts t where t.message_id = a.message_id and t.tenant_id = a.tenant_id
           and t.attempt = 1 limit 1) end as first_tried_at
    from event a ${message}
    where a.type not in ('dropped', 'cancelled') and ${ratedOriginSql('m.origin')}),
  dated as (
    select k.*, (coalesce(delivered_at, occurred_at) at time zone 'UTC')::date as day,
      type = 'bounced' and (is_first_attempt or (first_tried_at at time zone 'UTC')::date
        = (coalesce(delivered_at, occurred_at) at time zone 'UTC')::date) as is_of_day
    from known k),
  counted as (
    insert into domain_days as d (tenant_id, domain_id, day, simulated, ${names.join(', ')})
    select tenant_id, domain_id, day, simulated, ${Object.values(counted).join(', ')}
    from dated, ${HERE} ${before && `where ${before} >= 0`} group by tenant_id, domain_id, day, simulated order by domain_id, day, simulated
    on conflict (domain_id, day, simulated) do update
    set ${names.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')})`;
}

function count(where: string): string {
  return `count(*) filter (where ${where})`;
}

function list(texts: string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}
