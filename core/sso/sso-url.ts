// Where somebody signs in with SSO, by the domain of their address. Only a domain that the tenant has verified as its
// own counts, so that nobody can claim the people of another domain.

import type { Config } from '../base/config.ts';
import type { Database } from '../db/pool.ts';
import { parseTypedAddress } from '../mail/address.ts';
import { selectTenantByDomain } from './connection-store.ts';
import { serviceProvider } from './service-provider.ts';

/** The login URL for an address, or null. It says nothing about whether the person has an account. */
export async function findSsoUrl(
  deps: { db: Database; config: Pick<Config, 'PUBLIC_URL'> },
  email: string,
): Promise<string | null> {
  const parsed = parseTypedAddress(email);
  if (!parsed.ok) return null;
  const tenantId = await selectTenantByDomain(deps.db.pool, parsed.address.domain);
  return tenantId === null ? null : serviceProvider(deps.config, tenantId).loginUrl;
}
