// Customer accounts and what lets their programs in.

import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { buckets } from './bucket.ts';
import { bytea, count, time, timeOfInsert } from './columns.ts';

/** A customer account with its plan, and so its monthly cap (core/tenant/plan.ts). */
export const tenants = pgTable(
  'tenants',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Smallest first. */
    plan: text('plan', { enum: ['free', 'starter', 'pro', 'scale'] }).notNull(),
    /** Whether what messages say is kept after they have ended. */
    keepContent: boolean('keep_content').notNull().default(true),
    /** Whether people who sign in with a password need a second factor. */
    secondFactorRequired: boolean('second_factor_required').notNull().default(false),
    /** The schema that has its rows; it never changes. */
    bucket: text('bucket')
      .notNull()
      .default('public')
      .references(() => buckets.name),
    /** Since when it may neither send nor receive; null: it is active. */
    suspendedAt: time('suspended_at'),
    /** When its last suspension ended. */
    reactivatedAt: time('reactivated_at'),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [index('tenants_reactivated').on(t.reactivatedAt)],
);

/** Accepted sends of a tenant in one UTC month; `month` is its first day. */
export const tenantUsage = pgTable(
  'tenant_usage',
  {
    tenantId: uuid('tenant_id').notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.month] })],
);

/** An API key of a tenant; only the SHA-256 of its value is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    scopes: text('scopes').array().notNull(),
    hash: bytea('hash').notNull().unique(),
    createdAt: timeOfInsert('created_at'),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
    /** From then on it opens nothing. */
    expiresAt: time('expires_at'),
    /** Addresses and CIDR blocks from which it works; none: from everywhere. */
    allowedAddresses: text('allowed_addresses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The only domain that it may send from, by name; null: any of the tenant's. */
    domain: text('domain'),
    /** When it was last refused at an address that it does not allow, and from which. */
    refusedAt: time('refused_at'),
    refusedFrom: text('refused_from'),
    /** How often, since a day passed without. */
    refusedCount: count('refused_count'),
  },
  (t) => [index('api_keys_tenant').on(t.tenantId, t.id)],
);

/** A token of an administrator of the service; only the SHA-256 of its value is kept. */
export const adminTokens = pgTable('admin_tokens', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  hash: bytea('hash').notNull().unique(),
  createdAt: timeOfInsert('created_at'),
  revokedAt: time('revoked_at'),
  /** When it stops working; null: when it is revoked. */
  expiresAt: time('expires_at'),
});
