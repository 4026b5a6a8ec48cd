// The warm-up of domains: what counts against the cap, what the daily ramp saw and decided, plans, counts by route.

import {
  bigint,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

import { count, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** Admissions of a domain on one UTC day, the authoritative count: `used + reserved <= cap` for new mail. */
export const warmupDays = pgTable(
  'warmup_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    cap: integer('cap').notNull(),
    used: count('used'),
    /** The part of `used` that is campaign mail. */
    bulkUsed: count('bulk_used'),
    /** Kept for mail that waits and goes before newer mail. */
    reserved: count('reserved'),
    /** The part of `reserved` that is campaign mail. */
    bulkReserved: count('bulk_reserved'),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.day] })],
);

/** A change of a domain's tier or warm-up state, with who and why. */
export const warmupHistory = pgTable(
  'warmup_history',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    at: timeOfInsert('at'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    fromTier: smallint('from_tier').notNull(),
    toTier: smallint('to_tier').notNull(),
    reason: text('reason').notNull(),
    rates: jsonb('rates').$type<Record<string, number>>(),
  },
  (t) => [index('warmup_history_domain').on(t.domainId, t.id)],
);

/**
 * What a domain's mail of one UTC day came to, and what the ramp decided. Written once, in the transaction that moves
 * the tier: the row is what makes a second run do nothing.
 */
export const warmupRates = pgTable(
  'warmup_rates',
  {
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    attempted: integer('attempted').notNull(),
    delivered: integer('delivered').notNull(),
    bounced: integer('bounced').notNull(),
    deliveredOnDay: integer('delivered_on_day').notNull(),
    complained: integer('complained').notNull(),
    decision: text('decision').notNull(),
    decidedAt: timeOfInsert('decided_at'),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.day] })],
);

/** The plan of a tenant's first 30 days; a new one replaces the old. */
export const warmupSchedules = pgTable('warmup_schedules', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenants.id),
  startDate: date('start_date', { mode: 'string' }).notNull(),
  totalTargetRecipients: bigint('total_target_recipients', { mode: 'number' }).notNull(),
  rampStrategy: text('ramp_strategy', { enum: ['standard', 'conservative', 'aggressive'] }).notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: timeOfInsert('created_at'),
});

/** One day of a plan. */
export const warmupScheduleDays = pgTable(
  'warmup_schedule_days',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => warmupSchedules.tenantId, { onDelete: 'cascade' }),
    day: smallint('day').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    tier: smallint('tier').notNull(),
    plannedSends: integer('planned_sends').notNull(),
    mailKind: text('mail_kind', { enum: ['transactional', 'engaged', 'marketing'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day] })],
);

/** Admissions of a tenant on one UTC day by route (ESP). The reconcile job fills in `accepted` and `sub_cap`. */
export const espDays = pgTable(
  'esp_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    esp: text('esp').notNull(),
    used: count('used'),
    subCap: integer('sub_cap'),
    accepted: integer('accepted'),
    reconciledAt: time('reconciled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.esp] })],
);
