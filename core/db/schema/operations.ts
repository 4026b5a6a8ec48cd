// Running the service: processes, jobs, notices, the audit log.

import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';

/** A process that holds messages. One that stays silent longer than WORKER_LEASE_MS has lost them. */
export const workers = pgTable('workers', {
  id: uuid('id').primaryKey(),
  service: text('service').notNull(),
  /** A sender that leaves transactional mail to the others. */
  bulkOnly: boolean('bulk_only').notNull().default(false),
  startedAt: timeOfInsert('started_at'),
  heartbeatAt: timeOfInsert('heartbeat_at'),
});

/** When the next look over all tenants is due that one sender makes for all: core/worker/shared-look.ts. */
export const sharedLooks = pgTable('shared_looks', {
  name: text('name').primaryKey(),
  nextAt: time('next_at').notNull(),
});

/** A job at one of its run times (`slot`): what makes it run once, however many schedulers there are. */
export const jobRuns = pgTable(
  'job_runs',
  {
    job: text('job').notNull(),
    slot: time('slot').notNull(),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    summary: jsonb('summary').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.job, t.slot] })],
);

/** A message to the operations chat, written with the change that it reports; `event` makes it one per change. */
export const operationsNotices = pgTable(
  'operations_notices',
  {
    id: uuid('id').primaryKey(),
    event: text('event').notNull().unique(),
    text: text('text').notNull(),
    createdAt: timeOfInsert('created_at'),
    attempts: count('attempts'),
    nextAttemptAt: time('next_attempt_at').defaultNow(),
    lastError: text('last_error'),
    sentAt: time('sent_at'),
  },
  (t) => [
    index('operations_notices_due')
      .on(t.nextAttemptAt, t.id)
      .where(sql`next_attempt_at is not null`),
  ],
);

/** Mail to postmaster and abuse addresses of ours (RFC 5321 section 4.5.1), for the operators: belongs to no tenant. */
export const postmasterMails = pgTable(
  'postmaster_mails',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    mailFrom: text('mail_from').notNull(),
    /** Address of the client, and the network that counts as one. */
    peer: text('peer').notNull(),
    network: text('network').notNull(),
    subject: text('subject').notNull(),
    raw: bytea('raw').notNull(),
    receivedAt: timeOfInsert('received_at'),
  },
  (t) => [index('postmaster_mails_network').on(t.network, t.receivedAt)],
);

/** Mail that this service owes to a person, written with what it is about, until it is submitted as a message. */
export const systemMails = pgTable(
  'system_mails',
  {
    /** The id of the message as well. */
    id: uuid('id').primaryKey(),
    /** Whose owners get it; null for what is about the person alone. */
    tenantId: uuid('tenant_id'),
    recipient: text('recipient').notNull(),
    kind: text('kind', {
      enum: ['password_reset', 'new_sign_in', 'change', 'domain_verified', 'alert'],
    }).notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: timeOfInsert('created_at'),
    attempts: count('attempts'),
    nextAttemptAt: timeOfInsert('next_attempt_at'),
  },
  (t) => [index('system_mails_due').on(t.nextAttemptAt, t.id)],
);

/** Who did what with a privilege, and from which client address. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    at: timeOfInsert('at'),
    ip: text('ip'),
  },
  (t) => [
    index('audit_log_tenant').on(t.tenantId, t.id),
    index('audit_log_action').on(t.tenantId, t.action, t.id),
    index('audit_log_actor').on(t.tenantId, t.actor, t.id),
  ],
);
