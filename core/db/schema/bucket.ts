// Where tenants live: buckets, and what must be known before a tenant is. docs/buckets.md

import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';

import { timeOfInsert } from './columns.ts';

/** A schema that has the tables of a bucket (core/db/service-tables.ts). `public` is the first, and always there. */
export const buckets = pgTable('buckets', {
  name: text('name').primaryKey(),
  /** Whether new tenants come here. */
  isOpen: boolean('is_open').notNull().default(true),
  createdAt: timeOfInsert('created_at'),
});

/** Who has verified the name of a domain: one tenant at a time, over all buckets. It finds the tenant of a name, too. */
export const domainClaims = pgTable('domain_claims', {
  name: text('name').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  domainId: uuid('domain_id').notNull(),
  /** Whether it is verified now; otherwise this tenant had it last. */
  held: boolean('held').notNull(),
});
