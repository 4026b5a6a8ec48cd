// What a tenant's mail to each mailbox provider came to, and how fast all senders together may send there.

import type { Config } from '../base/config.ts';
import type { Queryable } from '../db/pool.ts';
import { selectProviderCounts, type ProviderCounts } from './figures-store.ts';
import { allProviders } from './find-provider.ts';
import type { ProviderLimits } from './limits.ts';
import type { MailboxProvider } from './provider-table.ts';

/** One provider. */
export interface ProviderFigures extends ProviderCounts {
  limits: ProviderLimits;
}

/** What reading the figures needs. */
export interface FiguresDeps {
  db: { pool: Queryable };
  config: Pick<Config, 'MAILBOX_PROVIDERS'>;
  /** The limits that hold now. */
  providerLimits: (provider: MailboxProvider) => Promise<ProviderLimits>;
}

/** The figures of all providers that the tenant sent to, most mail first; one that is no longer known is left out. */
export async function readProviderFigures(deps: FiguresDeps, tenantId: string): Promise<ProviderFigures[]> {
  const known = new Map(allProviders(deps.config).map((provider) => [provider.name, provider]));
  const counts = await selectProviderCounts(deps.db.pool, tenantId);
  return Promise.all(
    counts
      .filter(({ provider }) => known.has(provider))
      .map(async (one) => ({ ...one, limits: await deps.providerLimits(known.get(one.provider)!) })),
  );
}
