// A tenant's stored plan. There is one at a time; a new one replaces the old in one transaction.
// SQL by hand: many rows to a statement (unnest).

import type pg from 'pg';

import { notFound } from '../base/errors.ts';
import { type MailKind, type RampStrategy, type ScheduleDay, type SchedulePlan } from './schedule.ts';

/** A stored plan. */
export interface Schedule extends SchedulePlan {
  tenantId: string;
  createdBy: string;
  createdAt: Date;
  days: ScheduleDay[];
}

/** Puts a plan in the place of the one before. Null when there is no such tenant. */
export async function replaceSchedule(
  client: pg.ClientBase,
  schedule: Omit<Schedule, 'createdAt'>,
): Promise<Schedule | null> {
  const { tenantId, days } = schedule;
  const column = <K extends keyof ScheduleDay>(key: K) => days.map((day) => day[key]);
  const tenant = await client.query('select from tenants where id = $1 for update', [tenantId]);
  if (tenant.rowCount !== 1) return null;
  await client.query('delete from warmup_schedules where tenant_id = $1', [tenantId]);
  const { rows } = await client.query<{ createdAt: Date }>(
    `insert into warmup_schedules (tenant_id, start_date, total_target_recipients, ramp_strategy, created_by)
     values ($1, $2, $3, $4, $5) returning created_at as "createdAt"`,
    [tenantId, schedule.startDate, schedule.totalTargetRecipients, schedule.strategy, schedule.createdBy],
  );
  await client.query(
    `insert into warmup_schedule_days (tenant_id, day, date, tier, planned_sends, mail_kind)
     select $1, q.* from unnest($2::int[], $3::date[], $4::int[], $5::int[], $6::text[]) as q`,
    [tenantId, column('day'), column('date'), column('tier'), column('plannedSends'), column('mailKind')],
  );
  return { ...schedule, createdAt: rows[0]!.createdAt };
}

/** Deletes the plan of a tenant; answers its first day, or null when there was none. */
export async function deleteScheduleRow(client: pg.ClientBase, tenantId: string): Promise<string | null> {
  const { rows } = await client.query<{ startDate: string }>(
    `delete from warmup_schedules where tenant_id = $1 returning day_text(start_date) as "startDate"`,
    [tenantId],
  );
  return rows[0]?.startDate ?? null;
}

/** The plan of a tenant, or null when none was made. Throws not_found for an unknown tenant. */
export async function readSchedule(pool: pg.Pool, tenantId: string): Promise<Schedule | null> {
  type Head = Omit<Schedule, 'days'>;
  const { rows: heads } = await pool.query<{ known: boolean } & Partial<Head>>(
    `select true as known, s.tenant_id as "tenantId", s.start_date::text as "startDate",
       s.total_target_recipients::float8 as "totalTargetRecipients", s.ramp_strategy as strategy,
       s.created_by as "createdBy", s.created_at as "createdAt"
     from tenants t left join warmup_schedules s on s.tenant_id = t.id where t.id = $1`,
    [tenantId],
  );
  if (!heads[0]) throw notFound('tenant');
  const { known: _known, ...head } = heads[0];
  if (!head.tenantId) return null;
  const { rows: days } = await pool.query<Omit<ScheduleDay, 'mailKind'> & { mailKind: MailKind }>(
    `select day, date::text, tier, planned_sends as "plannedSends", mail_kind as "mailKind"
     from warmup_schedule_days where tenant_id = $1 order by day`,
    [tenantId],
  );
  return { ...(head as Head & { strategy: RampStrategy }), days };
}
