// Sending domains and their signing keys.
// The trigger `domains_announce` (0018_announcements.sql) tells webhooks of a change of status, tier or pause.

import { sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import { bytea, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** The result of the last DNS check of one record. */
export interface RecordStatus {
  status: 'pending' | 'found' | 'missing' | 'wrong';
  problem: string | null;
}

/** A sending domain with its warm-up tier. A name has one verified owner over all tenants. */
export const domains = pgTable(
  'domains',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    status: text('status', { enum: ['pending', 'verified', 'failed'] }).notNull(),
    /** Per record purpose what DNS showed last: `{ "dkim": { "status": "found", "problem": null } }`. */
    recordStatus: jsonb('record_status').$type<Record<string, RecordStatus>>().notNull().default({}),
    tier: smallint('tier').notNull().default(0),
    warmupState: text('warmup_state', { enum: ['active', 'held', 'paused'] })
      .notNull()
      .default('active'),
    pausedReason: text('paused_reason'),
    /** Percent of the cap that campaign mail leaves to transactional mail. */
    transactionalReserve: smallint('transactional_reserve').notNull().default(0),
    inboundEnabled: boolean('inbound_enabled').notNull().default(true),
    /** Whether its mail names the complaint address in a CFBL-Address field. */
    cfblEnabled: boolean('cfbl_enabled').notNull().default(false),
    /** The domain that `npm start` makes: its simulator traffic stays out of reputation. */
    builtIn: boolean('built_in').notNull().default(false),
    createdAt: timeOfInsert('created_at'),
    verifiedAt: time('verified_at'),
    checkedAt: time('checked_at'),
    failingSince: time('failing_since'),
  },
  (t) => [
    uniqueIndex('domains_tenant_name').on(t.tenantId, t.name),
    uniqueIndex('domains_verified_name')
      .on(t.name)
      .where(sql`status = 'verified'`),
  ],
);

/** A signing key of a domain; the private key is sealed with a key derived from MASTER_KEY. */
export const dkimKeys = pgTable(
  'dkim_keys',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    selector: text('selector').notNull(),
    algorithm: text('algorithm', { enum: ['rsa-sha256', 'ed25519-sha256'] }).notNull(),
    state: text('state', { enum: ['active', 'pending', 'retired'] }).notNull(),
    publicKey: text('public_key').notNull(),
    sealedPrivateKey: bytea('sealed_private_key').notNull(),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [uniqueIndex('dkim_keys_selector').on(t.domainId, t.selector)],
);
