// Starting a sign-in with SSO: the browser is sent to the tenant's identity provider with a request whose id we keep.
// Only answers to such requests are accepted (SP-initiated), each by the browser that started it.

import { generateServiceProviderMetadata } from '@node-saml/node-saml';

import type { Config } from '../base/config.ts';
import { nowMs } from '../base/clock.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { hasSso } from '../tenant/plan.ts';
import { selectTenant } from '../tenant/tenant-store.ts';
import { selectUsable } from './connection-store.ts';
import { insertRequest } from './request-store.ts';
import { createSaml, EMAIL_FORMAT } from './saml-settings.ts';
import { serviceProvider } from './service-provider.ts';

/** What signing in with SSO needs. */
export interface SsoDeps {
  db: Database;
  config: Pick<Config, 'PUBLIC_URL'>;
}

/** Where to send the browser that holds `browserToken`, or null when the tenant has no SSO. */
export async function startLogin(
  deps: SsoDeps,
  tenantId: string,
  browserToken: string,
): Promise<string | null> {
  const connection = await selectUsable(deps.db.pool, tenantId);
  if (!connection) return null;
  const browserHash = sha256(browserToken);
  const saml = createSaml(connection, serviceProvider(deps.config, tenantId), {
    saveAsync: async (id, value) => {
      await insertRequest(deps.db.pool, { id, tenantId, browserHash });
      return { value, createdAt: nowMs() };
    },
    getAsync: async () => null,
    removeAsync: async () => null,
  });
  return saml.getAuthorizeUrlAsync('', undefined, {});
}

/** Our metadata for the tenant's identity provider, or null for a tenant that cannot have SSO. */
export async function readOurMetadata(deps: SsoDeps, tenantId: string): Promise<string | null> {
  const tenant = await selectTenant(deps.db.pool, tenantId);
  if (!tenant || !hasSso(tenant.plan)) return null;
  const provider = serviceProvider(deps.config, tenantId);
  return generateServiceProviderMetadata({
    issuer: provider.entityId,
    callbackUrl: provider.acsUrl,
    identifierFormat: EMAIL_FORMAT,
    wantAssertionsSigned: true,
  });
}
