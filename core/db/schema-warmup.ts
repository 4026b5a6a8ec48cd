// The tables of 0003_warmup.sql as drizzle sees them; what each is for stands there.

import {
  bigint,
  date,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** What a domain's mail of one UTC day came to, and what the ramp decided. */
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
    decidedAt: time('decided_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.day] })],
);

/** Messages to the operations chat. */
export const operationsNotices = pgTable('operations_notices', {
  id: uuid('id').primaryKey(),
  event: text('event').notNull().unique(),
  text: text('text').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: time('next_attempt_at').defaultNow(),
  lastError: text('last_error'),
  sentAt: time('sent_at'),
});

/** The plan of a tenant's first 30 days. */
export const warmupSchedules = pgTable('warmup_schedules', {
  tenantId: uuid('tenant_id').primaryKey(),
  startDate: date('start_date', { mode: 'string' }).notNull(),
  totalTargetRecipients: bigint('total_target_recipients', { mode: 'number' }).notNull(),
  rampStrategy: text('ramp_strategy', { enum: ['standard', 'conservative', 'aggressive'] }).notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** One day of a plan. */
export const warmupScheduleDays = pgTable(
  'warmup_schedule_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    day: smallint('day').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    tier: smallint('tier').notNull(),
    plannedSends: integer('planned_sends').notNull(),
    mailKind: text('mail_kind', { enum: ['transactional', 'engaged', 'marketing'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day] })],
);

/** Slots taken per route of a tenant on a UTC day. */
export const espDays = pgTable(
  'esp_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    esp: text('esp').notNull(),
    used: integer('used').notNull().default(0),
    subCap: integer('sub_cap'),
    accepted: integer('accepted'),
    reconciledAt: time('reconciled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.esp] })],
);
