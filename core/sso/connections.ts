// Setting up SSO: an owner's work, on plans that have it.

import type pg from 'pg';

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { parseDomain } from '../mail/domain-name.ts';
import { hasSso } from '../tenant/plan.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import { viewCertificate } from './certificate.ts';
import {
  deleteConnectionRow,
  selectConnection,
  selectVerifiedDomains,
  upsertConnection,
  type SamlConnection,
} from './connection-store.ts';
import { checkIdpSettings, type IdpSettings } from './idp-settings.ts';
import type { SamlReader } from './saml-reader.ts';

/** A change as an owner asks for it; what is undefined stays as it is. */
export interface ConnectionInput {
  idpMetadataXml?: string | undefined;
  idpEntityId?: string | undefined;
  idpSsoUrl?: string | undefined;
  /** One or more certificates in PEM. */
  certificatePem?: string | undefined;
  enabled?: boolean | undefined;
  required?: boolean | undefined;
  emailDomains?: readonly string[] | undefined;
}

const MOST_DOMAINS = 50;
const MOST_CERTIFICATE_CHARS = 100_000;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The connection of a tenant, or null. */
export function findConnection(db: Database, tenantId: string): Promise<SamlConnection | null> {
  return selectConnection(db.pool, tenantId);
}

/**
 * Makes or changes the connection. Where it is required, what members began with a password opens nothing from then on.
 * Throws `forbidden` on a plan without SSO, `validation_failed` by field, `unavailable` when too many files wait.
 */
export async function saveConnection(
  deps: ChangeDeps & { saml: SamlReader },
  by: Actor,
  tenant: Tenant,
  input: ConnectionInput,
): Promise<SamlConnection> {
  if (!hasSso(tenant.plan)) {
    throw new AppError('forbidden', 'SSO is included in the pro and scale plans.');
  }
  const { idpMetadataXml: xml } = input;
  const fromXml = xml === undefined ? null : await deps.saml.readMetadata(tenant.id, xml);
  const emailDomains = input.emailDomains && checkDomains(input.emailDomains);
  return change(deps, by, async (client, record) => {
    const before = await selectConnection(client, tenant.id, { lock: true });
    const idp = fromXml ?? readFields(input, before);
    if (emailDomains) await checkVerified(client, tenant.id, emailDomains);
    const row = {
      ...idp,
      enabled: input.enabled ?? before?.enabled ?? false,
      required: input.required ?? before?.required ?? false,
      emailDomains: emailDomains ?? before?.emailDomains ?? [],
    };
    const saved = await upsertConnection(client, tenant.id, row);
    await record({
      tenantId: tenant.id,
      action: 'sso.connection_saved',
      subject: toId('tnt', tenant.id),
      details: auditDetails(saved),
    });
    return saved;
  });
}

/**
 * Removes the connection: passwords work again. People who have none must be removed and invited. Throws `not_found`.
 */
export async function deleteConnection(deps: ChangeDeps, by: Actor, tenantId: string): Promise<void> {
  await change(deps, by, async (client, record) => {
    if (!(await deleteConnectionRow(client, tenantId))) throw notFound('SAML connection');
    await record({ tenantId, action: 'sso.connection_deleted', subject: toId('tnt', tenantId) });
  });
}

function readFields(input: ConnectionInput, before: SamlConnection | null): IdpSettings {
  const typed = input.certificatePem;
  if (typed !== undefined && typed.length > MOST_CERTIFICATE_CHARS) {
    throw invalidField('certificatePem', 'is too long');
  }
  return checkIdpSettings({
    idpEntityId: input.idpEntityId ?? before?.idpEntityId ?? '',
    idpSsoUrl: input.idpSsoUrl ?? before?.idpSsoUrl ?? '',
    certificates: typed === undefined ? (before?.certificates ?? []) : (typed.match(PEM) ?? [typed]),
  });
}

function checkDomains(domains: readonly string[]): string[] {
  if (domains.length > MOST_DOMAINS)
    throw invalidField('emailDomains', `must have at most ${MOST_DOMAINS} domains`);
  const read = domains.map((text, index) => {
    const parsed = parseDomain(text.trim());
    if (!parsed.ok) throw invalidField(`emailDomains[${index}]`, `is not valid: ${parsed.reason}`);
    return parsed.domain;
  });
  return [...new Set(read)];
}

// A domain that anybody else could name would let this identity provider vouch for people who are not the tenant's.
async function checkVerified(client: pg.PoolClient, tenantId: string, domains: string[]): Promise<void> {
  const verified = await selectVerifiedDomains(client, tenantId, domains);
  const index = domains.findIndex((domain) => !verified.includes(domain));
  if (index < 0) return;
  const reason = `${domains[index]} is not a verified domain of this tenant; verify it under Domains first`;
  throw invalidField('emailDomains', reason);
}

function auditDetails({ certificates, ...saved }: SamlConnection) {
  const { idpEntityId, idpSsoUrl, enabled, required, emailDomains } = saved;
  const fingerprints = certificates.map((pem) => viewCertificate(pem).fingerprint);
  return { idpEntityId, idpSsoUrl, enabled, required, emailDomains, certificates: fingerprints };
}
