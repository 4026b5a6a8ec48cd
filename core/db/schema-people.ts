// The tables of 0006_people.sql as drizzle sees them; what each is for stands there.

import { boolean, customType, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Who was asked to join a tenant, and what became of it. */
export const invitations = pgTable('invitations', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  email: text('email').notNull(),
  role: text('role', { enum: ['owner', 'member', 'super_admin'] }).notNull(),
  tokenHash: bytea('token_hash').notNull().unique(),
  invitedBy: uuid('invited_by').notNull(),
  invitedByEmail: text('invited_by_email').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
  acceptedAt: time('accepted_at'),
  revokedAt: time('revoked_at'),
});

/** The identity provider of a tenant. */
export const samlConnections = pgTable('saml_connections', {
  tenantId: uuid('tenant_id').primaryKey(),
  idpEntityId: text('idp_entity_id').notNull(),
  idpSsoUrl: text('idp_sso_url').notNull(),
  certificates: text('certificates').array().notNull(),
  enabled: boolean('enabled').notNull(),
  required: boolean('required').notNull(),
  emailDomains: text('email_domains').array().notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** Sign-ins by SAML that were started and not yet answered. */
export const samlRequests = pgTable('saml_requests', {
  id: text('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  browserHash: bytea('browser_hash').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** Assertions that were used. */
export const samlAssertions = pgTable(
  'saml_assertions',
  {
    tenantId: uuid('tenant_id').notNull(),
    assertionId: text('assertion_id').notNull(),
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.assertionId] })],
);
