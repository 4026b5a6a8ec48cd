// Room under today's cap that a change made: a raised tier, the end of a pause or of the brake, a smaller reserve. What waits
// uses it before newer mail: its admissions are reserved in the transaction that makes the room.
// SQL by hand: row locks decide here.

import type pg from 'pg';

import { BRAKE_STATE, type BrakeState } from '../message/brake-state.ts';
import type { DueDomain } from '../message/release-store.ts';
import {
  resumeAdmitted,
  resumeBraked,
  resumeCapped,
  resumeRuled,
  resumeUnadmitted,
  type Room,
} from '../message/resume-store.ts';
import { BULK_LIMIT } from '../message/sender-rules.ts';
import type { HeldReason } from '../message/states.ts';
import { suspendedSql } from '../tenant/suspended.ts';
import { bulkCap, TIER_CAPS } from './tiers.ts';
import { earlierMail, openDays, withInFlight } from './warmup-store.ts';

/**
 * Makes mail of these domains due that today's cap has room for, oldest first, and reserves admissions for all that is due;
 * `kept` of each cap stay free. Returns how many messages became due. The caller holds the rows of the days (`lockOpenDays`)
 * and has made its change.
 */
export async function useRoom(client: pg.ClientBase, domains: DueDomain[], kept = 0): Promise<number> {
  const days = await readDays(client, domains);
  const unopened = days.filter(({ isOpen }) => !isOpen);
  if (unopened.length > 0) await openDays(client, unopened, unopened[0]!.today);
  const rooms = days.map((day) => roomOf(day, kept)).filter(({ total }) => total > 0);
  const due = rooms.length > 0 ? await resumeCapped(client, rooms) : 0;
  await reserveDue(client, domains);
  return due;
}

/** Makes mail of a domain due that a pause, a lost verification or a suspension held, and what there is room for. */
export async function resumeHeld(
  client: pg.ClientBase,
  domain: DueDomain,
  reason: HeldReason,
): Promise<void> {
  await resumeUnadmitted(client, domain, reason);
  await resumeAdmitted(client, domain, reason);
  await useRoom(client, [domain]);
}

/** Makes all mail of a domain due that neither its brake nor the sender rules hold any more, and what there is room for. */
export async function resumeUnheld(client: pg.ClientBase, domain: DueDomain): Promise<void> {
  const [day] = await readDays(client, [domain]);
  if (!day) return;
  if (day.brake !== 'all') await resumeBraked(client, domain, day.brake === 'off');
  if (day.bulkLimit === null) await resumeRuled(client, domain);
  await useRoom(client, [domain]);
}

interface Day extends DueDomain {
  /** The database's UTC date, and whether its row is there. */
  today: string;
  isOpen: boolean;
  cap: number;
  used: number;
  bulkUsed: number;
  reserved: number;
  bulkReserved: number;
  transactionalReserve: number;
  brake: BrakeState;
  bulkLimit: number | null;
}

function roomOf(day: Day, kept: number): Room {
  const { tenantId, domainId, cap, brake } = day;
  const free = brake === 'all' ? 0 : cap - kept - day.used - day.reserved;
  const bulkUsed = day.bulkUsed + day.bulkReserved;
  const bulk = brake === 'off' ? bulkCap(cap, day.transactionalReserve, day.bulkLimit) - bulkUsed : 0;
  return { tenantId, domainId, total: Math.max(free, 0), bulk: Math.max(Math.min(free, bulk), 0) };
}

// Of those that may send.
async function readDays(client: pg.ClientBase, domains: DueDomain[]): Promise<Day[]> {
  const { rows } = await client.query<Day>({
    name: 'room-read-days',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today,
             w.cap is not null as "isOpen", coalesce(w.cap, caps.cap) as cap, coalesce(w.used, 0) as used,
             coalesce(w.bulk_used, 0) as "bulkUsed", coalesce(w.reserved, 0) as reserved,
             coalesce(w.bulk_reserved, 0) as "bulkReserved",
             d.transactional_reserve as "transactionalReserve", ${BRAKE_STATE} as brake, ${BULK_LIMIT} as "bulkLimit"
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, id)
           join domains d on d.id = q.id and d.tenant_id = q.tenant_id
           join unnest($3::int[]) with ordinality as caps(cap, n) on caps.n = d.tier + 1
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id
             and w.day = (now() at time zone 'UTC')::date
           where d.status = 'verified' and d.warmup_state <> 'paused' and not ${suspendedSql('d.tenant_id')}`,
    values: [domains.map((one) => one.tenantId), domains.map((one) => one.domainId), [...TIER_CAPS]],
  });
  return rows;
}

async function reserveDue(client: pg.ClientBase, domains: DueDomain[]): Promise<void> {
  const due = earlierMail('w.domain_id', 'w.day', 'greatest(w.cap - w.used, 0)');
  await client.query({
    name: 'room-reserve-due',
    text: `with ${withInFlight("(now() at time zone 'UTC')::date")},
           due as materialized (
             select w.domain_id, w.tenant_id, w.day, ${due.total} as total, ${due.bulk} as bulk from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, id)
             join warmup_days w on w.domain_id = q.id and w.tenant_id = q.tenant_id and w.day = (now() at time zone 'UTC')::date
             ${due.join})
           update warmup_days w set reserved = due.total, bulk_reserved = due.bulk from due
           where w.domain_id = due.domain_id and w.tenant_id = due.tenant_id and w.day = due.day`,
    values: [domains.map((one) => one.tenantId), domains.map((one) => one.domainId)],
  });
}
