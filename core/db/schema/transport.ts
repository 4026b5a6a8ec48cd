// Transport security: what receivers ask of those who send to them.

import { date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { time } from './columns.ts';

/** The MTA-STS policy of a recipient's domain (RFC 8461) as it was fetched last; belongs to no tenant. */
export const mtaStsPolicies = pgTable('mta_sts_policies', {
  domain: text('domain').primaryKey(),
  /** The id in the TXT record that announced it. */
  policyId: text('policy_id').notNull(),
  mode: text('mode', { enum: ['enforce', 'testing', 'none'] }).notNull(),
  /** Host names, one of them may begin with `*.`. */
  mx: text('mx').array().notNull(),
  maxAgeSeconds: integer('max_age_seconds').notNull(),
  fetchedAt: time('fetched_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});

/** TLS sessions of a day with the mail servers of a domain that wants reports (RFC 8460), by policy and result. */
export const tlsSessions = pgTable(
  'tls_sessions',
  {
    day: date('day', { mode: 'string' }).notNull(),
    domain: text('domain').notNull(),
    policyType: text('policy_type', { enum: ['tlsa', 'sts', 'no-policy-found'] }).notNull(),
    /** The policy, line by line. */
    policy: jsonb('policy').$type<string[]>().notNull(),
    mxPatterns: jsonb('mx_patterns').$type<string[]>().notNull(),
    /** Empty for success, and then all up to the reason. */
    result: text('result').notNull(),
    mx: text('mx').notNull(),
    ip: text('ip').notNull(),
    ourIp: text('our_ip').notNull(),
    reason: text('reason').notNull(),
    sessions: integer('sessions').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'tls_sessions_pk', // the default is longer than PostgreSQL's 63 octets
      columns: [t.day, t.domain, t.policyType, t.result, t.mx, t.ip, t.ourIp, t.reason],
    }),
  ],
);
