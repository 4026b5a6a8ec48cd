// People who may sign in, by password or by their company's identity provider.

import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import { bytea, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** A person: one row per address, whatever their tenants. `password_hash` is null for those who sign in by SSO only. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    /** IANA name of the zone in which the dashboard shows times; null: that of the browser. */
    timeZone: text('time_zone'),
    createdAt: timeOfInsert('created_at'),
    /** SHA-256 of the token in the newest link that resets the password, until it is used or the password changes. */
    resetHash: bytea('reset_hash'),
    resetExpiresAt: time('reset_expires_at'),
  },
  (t) => [uniqueIndex('users_email').on(t.email), uniqueIndex('users_reset').on(t.resetHash)],
);

/** Who belongs to which tenant, with which role. */
export const memberships = pgTable(
  'memberships',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role', { enum: ['owner', 'member', 'viewer', 'super_admin'] }).notNull(),
    createdAt: timeOfInsert('created_at'),
    /** When they last signed in to this tenant or went to it: the next sign-in begins in the latest. */
    lastSignedInAt: time('last_signed_in_at'),
    /** When they hid the first steps on the overview of this tenant. */
    firstStepsHiddenAt: time('first_steps_hidden_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.userId] }), index('memberships_user').on(t.userId)],
);

/** A signed-in browser. `refresh_hash` is of the only refresh token that still works; an older one ends the session. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The tenant that it works in; one by SSO stays there. */
    tenantId: uuid('tenant_id').notNull(),
    refreshHash: bytea('refresh_hash').notNull(),
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
    createdAt: timeOfInsert('created_at'),
    lastUsedAt: timeOfInsert('last_used_at'),
    expiresAt: time('expires_at').notNull(),
    endedAt: time('ended_at'),
    /** When its person last proved who they are: at the sign-in, or by the password again. */
    confirmedAt: timeOfInsert('confirmed_at'),
    /** Where SSO is required, sessions by password open nothing. */
    method: text('method', { enum: ['password', 'saml'] })
      .notNull()
      .default('password'),
  },
  (t) => [index('sessions_user').on(t.userId)],
);

/** A person's second factor, TOTP (RFC 6238). Until `confirmed_at` it is being set up, and asked of nobody. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Encrypted, as all secrets that we need in clear. */
  sealedSecret: bytea('sealed_secret').notNull(),
  /** Number of the 30 seconds (since 1970) of the last code used: none of these or before is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }),
  createdAt: timeOfInsert('created_at'),
  confirmedAt: time('confirmed_at'),
});

/** A recovery code that was not used yet, as SHA-256: using one deletes it. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => secondFactors.userId, { onDelete: 'cascade' }),
    codeHash: bytea('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** A failed sign-in, by e-mail address and by client address, for the brute-force limit. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    subject: text('subject').notNull(),
    at: time('at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (t) => [index('sign_in_failures_subject').on(t.subject, t.at)],
);

/** Who was asked to join a tenant, and what became of it. One is open per address: a new one replaces it. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'member', 'viewer', 'super_admin'] }).notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: bytea('token_hash').notNull().unique(),
    /** The message with the link. It is chosen before it is sent, and may never have been. */
    messageId: uuid('message_id'),
    /** No foreign key: the row outlives the person as a record. */
    invitedBy: uuid('invited_by').notNull(),
    invitedByEmail: text('invited_by_email').notNull(),
    createdAt: timeOfInsert('created_at'),
    expiresAt: time('expires_at').notNull(),
    acceptedAt: time('accepted_at'),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    uniqueIndex('invitations_open')
      .on(t.tenantId, t.email)
      .where(sql`accepted_at is null and revoked_at is null`),
  ],
);

/** The identity provider of a tenant. Nothing here is secret: certificates hold public keys. */
export const samlConnections = pgTable('saml_connections', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenants.id),
  idpEntityId: text('idp_entity_id').notNull(),
  /** Where sign-ins are sent, by the HTTP-Redirect binding. */
  idpSsoUrl: text('idp_sso_url').notNull(),
  /** PEM. Any of them may have signed. */
  certificates: text('certificates').array().notNull(),
  enabled: boolean('enabled').notNull(),
  /** Members may not use passwords. */
  required: boolean('required').notNull(),
  /** Whose people become members at their first sign-in, while the tenant has them verified. Lower-case ASCII. */
  emailDomains: text('email_domains').array().notNull(),
  createdAt: timeOfInsert('created_at'),
  updatedAt: timeOfInsert('updated_at'),
});

/** A sign-in by SAML that was started and not answered yet; the answer that fits deletes it, so that no second one does. */
export const samlRequests = pgTable('saml_requests', {
  id: text('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  /** SHA-256 of the cookie of the browser that started it. */
  browserHash: bytea('browser_hash').notNull(),
  createdAt: timeOfInsert('created_at'),
});

/** A SAML assertion that was used: none works twice, on whichever process. */
export const samlAssertions = pgTable(
  'saml_assertions',
  {
    tenantId: uuid('tenant_id').notNull(),
    assertionId: text('assertion_id').notNull(),
    usedAt: timeOfInsert('used_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.assertionId] })],
);
