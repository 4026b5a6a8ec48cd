// Tracking hosts: the customer's own name for links and pixels, and the certificate that it is served with.

import { index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

import { bytea, time } from './columns.ts';
import { domains } from './domain.ts';

/**
 * The tracking host of a domain whose record was found at least once. Whether the record is there now is said by the
 * domain (`record_status`); private keys are sealed with a key derived from MASTER_KEY.
 */
export const trackingHosts = pgTable(
  'tracking_hosts',
  {
    domainId: uuid('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    tenantId: uuid('tenant_id').notNull(),
    name: text('name').notNull(),
    checkedAt: time('checked_at').notNull(),
    /** When its record is looked up next. */
    checkAt: time('check_at').notNull(),
    missingSince: time('missing_since'),
    /** PEM, the chain from the host's own certificate. */
    certificate: text('certificate'),
    /** SHA-256, as Node writes it. */
    certificateFingerprint: text('certificate_fingerprint'),
    certificateExpiresAt: time('certificate_expires_at'),
    sealedKey: bytea('sealed_key'),
    /** When a certificate is ordered, or the order under way goes on; also the end of a claim. */
    orderAt: time('order_at').notNull(),
    /** Raised by every claim: who has an older one writes nothing. */
    claimVersion: integer('claim_version').notNull().default(0),
    orderUrl: text('order_url'),
    /** Of the certificate that is ordered. */
    sealedOrderKey: bytea('sealed_order_key'),
    challengeToken: text('challenge_token'),
    challengeAnswer: text('challenge_answer'),
    /** Orders in a row that came to nothing. */
    failures: smallint('failures').notNull().default(0),
    /** Why the last order came to nothing. */
    problem: text('problem'),
  },
  (t) => [
    index('tracking_hosts_name').on(t.name),
    index('tracking_hosts_expiry').on(t.certificateExpiresAt),
    index('tracking_hosts_check').on(t.checkAt),
    index('tracking_hosts_order').on(t.orderAt),
    index('tracking_hosts_challenge').on(t.challengeToken),
  ],
);

/** Our account at an ACME directory (RFC 8555); belongs to no tenant. */
export const acmeAccounts = pgTable('acme_accounts', {
  directoryUrl: text('directory_url').primaryKey(),
  sealedKey: bytea('sealed_key').notNull(),
  /** Null until the directory knows it. */
  accountUrl: text('account_url'),
  /** Orders begun since then. */
  orders: integer('orders').notNull().default(0),
  ordersSince: time('orders_since').notNull(),
});
