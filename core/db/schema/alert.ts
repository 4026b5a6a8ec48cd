// Alerts: what a tenant watches, what was found, and what its chat is still to be told.
// The trigger `alerts_announce` (0041_alerts.sql) tells webhooks of each that opens or is resolved.

import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';
import { domains } from './domain.ts';
import { tenants } from './tenant.ts';

/** What is watched, from which value on, and who is told. One of a kind for a tenant, and one for each of its domains. */
export const alertRules = pgTable(
  'alert_rules',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    /** A name of core/alert/alert-kinds.ts, which has the unit of `threshold`. */
    kind: text('kind').notNull(),
    /** Null: every domain that has no rule of this kind for itself. */
    domainId: uuid('domain_id').references(() => domains.id, { onDelete: 'cascade' }),
    threshold: doublePrecision('threshold').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Whether the owners get mail. */
    mail: boolean('mail').notNull().default(true),
    /** Whether the chat of alert_settings is told. */
    chat: boolean('chat').notNull().default(true),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [
    uniqueIndex('alert_rules_one').on(t.tenantId, t.kind, sql`coalesce(domain_id, tenant_id)`),
    index('alert_rules_kind')
      .on(t.kind, t.id)
      .where(sql`enabled`),
    index('alert_rules_domain')
      .on(t.domainId)
      .where(sql`domain_id is not null`),
  ],
);

/** Something that reached its threshold. The index of open ones makes it open once, whoever looks. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    /** No foreign key: what was found outlives the rule. */
    ruleId: uuid('rule_id').notNull(),
    kind: text('kind').notNull(),
    /** UUID of the domain, webhook, key or tenant, as the kind says. */
    subjectId: uuid('subject_id').notNull(),
    /** Its name when the alert opened. */
    subject: text('subject').notNull(),
    domainId: uuid('domain_id'),
    /** As it opened. */
    value: doublePrecision('value').notNull(),
    threshold: doublePrecision('threshold').notNull(),
    openedAt: timeOfInsert('opened_at'),
    resolvedAt: time('resolved_at'),
  },
  (t) => [
    uniqueIndex('alerts_open')
      .on(t.ruleId, t.subjectId)
      .where(sql`resolved_at is null`),
    index('alerts_tenant').on(t.tenantId, t.id),
    index('alerts_old')
      .on(t.resolvedAt)
      .where(sql`resolved_at is not null`),
  ],
);

/** Where a tenant's alerts are posted to. The URL is its own secret, so it is sealed with a key derived from MASTER_KEY. */
export const alertSettings = pgTable('alert_settings', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenants.id),
  sealedChatUrl: bytea('sealed_chat_url'),
  /** The host of the URL: what is shown of it. */
  chatHost: text('chat_host'),
});

/** A message to a tenant's chat, written with what it is about, until the chat has it. */
export const alertChats = pgTable(
  'alert_chats',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    text: text('text').notNull(),
    createdAt: timeOfInsert('created_at'),
    attempts: count('attempts'),
    nextAttemptAt: timeOfInsert('next_attempt_at'),
  },
  (t) => [index('alert_chats_due').on(t.nextAttemptAt, t.id), index('alert_chats_tenant').on(t.tenantId)],
);
