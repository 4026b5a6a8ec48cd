// What belongs to the rows of a list, read once for all of them.

import DataLoader from 'dataloader';

import type { CampaignStats } from '../../core/campaign/campaign.ts';
import { readSendingRooms, readStats, type SendingRoom } from '../../core/campaign/stats-store.ts';
import type { ContactList } from '../../core/contact/contact.ts';
import { selectListsById } from '../../core/contact/list-store.ts';
import { readForecastDomains, type ForecastRow } from '../../core/warmup/forecast-store.ts';
import { selectTemplatesById } from '../../core/template/template-store.ts';
import type { Template } from '../../core/template/template.ts';
import type { Database } from '../../core/db/pool.ts';

/** Loaders of the account of one tenant. Keys are UUIDs, except domains by name. */
export interface AccountLoaders {
  campaignStats: DataLoader<string, CampaignStats | null>;
  /** By the name of the sending domain. */
  sendingRooms: DataLoader<string, SendingRoom | null>;
  templates: DataLoader<string, Template | null>;
  contactLists: DataLoader<string, ContactList | null>;
  forecasts: DataLoader<string, ForecastRow | null>;
}

/** Makes the loaders of one request. `tenantId` is asked when the first is used. */
export function createAccountLoaders({ pool }: Database, tenantId: () => string): AccountLoaders {
  return {
    campaignStats: byKey((ids) => readStats(pool, tenantId(), ids)),
    sendingRooms: byKey((names) => readSendingRooms(pool, tenantId(), names)),
    templates: byKey(async (ids) => byId(await selectTemplatesById(pool, tenantId(), ids), (row) => row.id)),
    contactLists: byKey(async (ids) => byId(await selectListsById(pool, tenantId(), ids), (row) => row.id)),
    forecasts: byKey(async (ids) =>
      byId(await readForecastDomains(pool, tenantId(), ids), (row) => row.domainId),
    ),
  };
}

function byKey<T>(read: (keys: string[]) => Promise<Map<string, T>>): DataLoader<string, T | null> {
  return new DataLoader(async (keys) => {
    const found = await read([...keys]);
    return keys.map((key) => found.get(key) ?? null);
  });
}

function byId<T>(rows: T[], idOf: (row: T) => string): Map<string, T> {
  return new Map(rows.map((row) => [idOf(row), row]));
}
