// The brake of a domain as rows: today's outcomes, and the state that was decided on them.
// SQL by hand: row locks decide here, and aggregates of a day in one statement.

import type pg from 'pg';

import type { BrakeStart } from '../db/schema/domain.ts';
import type { Queryable } from '../db/pool.ts';
import { BRAKE_STATE, brakeStateAt, type BrakeState } from '../message/brake-state.ts';
import { ratedDaySql } from '../message/rated.ts';
import type { BrakedDomain, BrakeMove } from './brake.ts';
import { CLOCK } from '../db/citus-forms.ts';

/** Names a domain of a tenant. */
export interface DomainKey {
  tenantId: string;
  domainId: string;
}

const outcomes = (of: { [name: string]: string }) => {
  const pairs = Object.entries(of).map(([name, column]) => `'${name}', coalesce(sum(c.${column}), 0)`);
  return `jsonb_build_object(${pairs.join()})`;
};
const ALL = outcomes({
  attempted: 'sent',
  delivered: 'delivered',
  bounced: 'refused',
  unknown: 'unknown',
  blocked: 'blocked',
  complained: 'complained',
});
const TRANSACTIONAL = outcomes({
  attempted: 'tx_sent',
  delivered: 'tx_delivered',
  bounced: 'tx_refused',
  unknown: 'tx_unknown',
  blocked: 'tx_blocked',
  complained: 'tx_complained',
});
const COUNTS = `(select jsonb_build_object('day', (now() at time zone 'UTC')::date, 'all', ${ALL},
    'transactional', ${TRANSACTIONAL})
  from domain_days c where c.domain_id = d.id and c.tenant_id = d.tenant_id and c.day = (now() at time zone 'UTC')::date
    and ${ratedDaySql('c', 'd')})`;

/** These domains with today's outcomes. */
export async function readBraked(db: Queryable, wanted: DomainKey[]): Promise<BrakedDomain[]> {
  const { rows } = await db.query<BrakedDomain>({
    name: 'brake-read',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", d.name, d.tier, d.brake_enabled as enabled,
             ${BRAKE_STATE} as state, d.brake_numbers as numbers, d.brake_start as start, ${COUNTS} as counts
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
           join domains d on d.id = q.domain_id and d.tenant_id = q.tenant_id`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.domainId)],
  });
  return rows;
}

/** Locks a domain until the transaction ends, with its brake and today's outcomes; null when it is not there. */
export async function lockBraked(
  client: pg.ClientBase,
  { tenantId, domainId }: DomainKey,
): Promise<BrakedDomain | null> {
  await client.query({
    name: 'brake-lock',
    text: 'select from domains where tenant_id = $1 and id = $2 for no key update',
    values: [tenantId, domainId],
  });
  return (await readBraked(client, [{ tenantId, domainId }]))[0] ?? null;
}

/** Writes a brake that goes on, or further off; its test goes on after `start`. */
export async function writeBrake(
  client: pg.ClientBase,
  { tenantId, domainId }: DomainKey,
  { to, reason, numbers }: BrakeMove,
  start: BrakeStart | null,
): Promise<void> {
  await client.query({
    name: 'brake-write',
    text: `update domains set brake_state = $3, brake_since = now(), brake_reason = $4, brake_numbers = $5, brake_start = $6,
             brake_trickle_at = now()
           where tenant_id = $1 and id = $2`,
    values: [tenantId, domainId, to, reason, JSON.stringify(numbers), start && JSON.stringify(start)],
  });
}

/** Takes the brake off; its test begins anew with what comes after `start`. */
export async function writeBrakeOff(
  client: pg.ClientBase,
  { tenantId, domainId }: DomainKey,
  start: BrakeStart,
): Promise<void> {
  await client.query({
    name: 'brake-write-off',
    text: `update domains set brake_state = 'off', brake_since = now(), brake_start = $3
           where tenant_id = $1 and id = $2`,
    values: [tenantId, domainId, JSON.stringify(start)],
  });
}

/**
 * Lets one message of a domain through whose brake is `all`: true at most once in `everyMs`, whoever asks. With it the
 * milliseconds until asking again is of use.
 */
export async function takeTrickle(
  db: Queryable,
  { tenantId, domainId }: DomainKey,
  everyMs: number,
): Promise<{ taken: boolean; againInMs: number }> {
  const { rowCount } = await db.query({
    name: 'brake-trickle',
    text: `update domains d set brake_trickle_at = now()
           from ${CLOCK}
           where d.tenant_id = $1 and d.id = $2 and ${brakeStateAt('clock.now')} = 'all'
             and d.brake_trickle_at <= now() - $3 * interval '1 millisecond'`,
    values: [tenantId, domainId, everyMs],
  });
  if (rowCount === 1) return { taken: true, againInMs: everyMs };
  const { rows } = await db.query<{ left: number }>({
    name: 'brake-trickle-left',
    text: `select greatest(0, $3 - extract(epoch from now() - brake_trickle_at) * 1000)::int as left from domains
           where tenant_id = $1 and id = $2`,
    values: [tenantId, domainId, everyMs],
  });
  return { taken: false, againInMs: rows[0]?.left ?? everyMs };
}

/**
 * Locks the domains whose brake was taken off or back within the last minute: their waiting mail may go. A domain that another
 * sender has is passed over.
 */
export async function lockJustReleased(
  client: pg.ClientBase,
): Promise<(DomainKey & { state: Exclude<BrakeState, 'all'> })[]> {
  const { rows } = await client.query<DomainKey & { state: Exclude<BrakeState, 'all'> }>({
    name: 'brake-just-released',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", ${BRAKE_STATE} as state from domains d
           where d.brake_since > now() - interval '1 minute' and ${BRAKE_STATE} <> 'all'
           order by d.id for no key update skip locked`,
  });
  return rows;
}
