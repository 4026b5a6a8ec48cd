// Sending domains and their signing keys.
// The trigger `domains_announce` (0018_announcements.sql, as of 0024_brake.sql) tells webhooks of a change of status,
// tier, pause or brake.

import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import { bytea, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** The result of the last DNS check of one record. */
export interface RecordStatus {
  status: 'pending' | 'found' | 'missing' | 'wrong';
  problem: string | null;
}

/** Outcomes of a domain's mail since the beginning of a UTC day, as the same-day brake counts them. */
export interface Outcomes {
  /** Messages first tried on the day. */
  attempted: number;
  delivered: number;
  /** Of those attempted, refused for good, but for what only speaks against our own set-up. */
  bounced: number;
  /** Of those bounced: nobody there. */
  unknown: number;
  /** Refused for good by policy or reputation. */
  blocked: number;
  complained: number;
}

/** What the brake's decision was made on. */
export interface BrakeNumbers extends Outcomes {
  measure: 'bounces' | 'blocks' | 'complaints';
  /** Whether only transactional mail is counted. */
  transactional_only: boolean;
}

/** The outcomes of a day up to which the brake's test is over: it goes on with those after them. */
export interface BrakeStart {
  /** UTC date. */
  day: string;
  all: Outcomes;
  transactional: Outcomes;
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
    brakeEnabled: boolean('brake_enabled').notNull().default(true),
    /** As of `brake_since`: a brake ends with its UTC day. */
    brakeState: text('brake_state', { enum: ['off', 'bulk', 'all'] })
      .notNull()
      .default('off'),
    brakeSince: time('brake_since'),
    brakeReason: text('brake_reason'),
    brakeNumbers: jsonb('brake_numbers').$type<BrakeNumbers>(),
    brakeStart: jsonb('brake_start').$type<BrakeStart>(),
    /** When the last message of a domain that is stopped altogether was let through. */
    brakeTrickleAt: time('brake_trickle_at'),
    /** Whether campaign mail above 5,000 a day waits while the domain has no DMARC record. */
    senderRulesEnabled: boolean('sender_rules_enabled').notNull().default(true),
    /** When such a limit ended last: what waits for it is released. */
    senderRulesLiftedAt: time('sender_rules_lifted_at'),
    inboundEnabled: boolean('inbound_enabled').notNull().default(true),
    /** What becomes of inbound mail that the scanner calls spam or a virus. */
    spamPolicy: text('spam_policy', { enum: ['keep', 'mark', 'refuse'] })
      .notNull()
      .default('keep'),
    /** Whether its mail names the complaint address in a CFBL-Address field. */
    cfblEnabled: boolean('cfbl_enabled').notNull().default(false),
    /** The pool (EGRESS_POOLS) that its mail leaves from; null: that of the route, or the system's own address. */
    pool: text('pool'),
    /** The domain that `npm start` makes: its simulator traffic stays out of reputation. */
    builtIn: boolean('built_in').notNull().default(false),
    createdAt: timeOfInsert('created_at'),
    verifiedAt: time('verified_at'),
    checkedAt: time('checked_at'),
    failingSince: time('failing_since'),
    /** When the records of a pending domain are looked up next without being asked; null: only once a day. */
    nextCheckAt: time('next_check_at').default(sql`now()`),
  },
  (t) => [
    uniqueIndex('domains_tenant_name').on(t.tenantId, t.name),
    uniqueIndex('domains_verified_name')
      .on(t.name)
      .where(sql`status = 'verified'`),
    // Pending domains whose records are looked up soon: few at a time.
    index('domains_next_check')
      .on(t.nextCheckAt)
      .where(sql`status = 'pending'`),
    // Those whose tracking host may need a row of its own.
    index('domains_tracking_found')
      .on(t.id)
      .where(sql`record_status -> 'tracking' ->> 'status' = 'found'`),
    // Few: domains whose mail is stopped, or soon will be.
    index('domains_stopped')
      .on(t.id)
      .where(sql`warmup_state = 'paused' or failing_since is not null`),
    // Few: domains that ever had a brake, for the release that looks for those just lifted.
    index('domains_brake')
      .on(t.brakeSince)
      .where(sql`brake_since is not null`),
    // Few, for the same look.
    index('domains_sender_rules')
      .on(t.senderRulesLiftedAt)
      .where(sql`sender_rules_lifted_at is not null`),
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
