// Who we are to a tenant's identity provider: one entity per tenant, so that an assertion made for one tenant names an
// audience that no other tenant has.

import type { Config } from '../base/config.ts';
import { toId } from '../base/ids.ts';
import { trimEnd } from '../base/trim-end.ts';

/** Our side of one tenant's connection. */
export interface ServiceProvider {
  entityId: string;
  acsUrl: string;
  metadataUrl: string;
  loginUrl: string;
}

/** Our side of a tenant's connection. */
export function serviceProvider(config: Pick<Config, 'PUBLIC_URL'>, tenantId: string): ServiceProvider {
  const base = `${trimEnd(config.PUBLIC_URL, '/')}/saml/${toId('tnt', tenantId)}`;
  return {
    entityId: `${base}/metadata`,
    acsUrl: `${base}/acs`,
    metadataUrl: `${base}/metadata`,
    loginUrl: `${base}/login`,
  };
}
