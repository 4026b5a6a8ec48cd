// What belongs to the rows of a list, read once for all of them.

import DataLoader from 'dataloader';

import type { CampaignStats } from '../../core/campaign/campaign.ts';
import { readQueues, readStats, type CampaignQueue } from '../../core/campaign/stats-store.ts';
import type { ContactList } from '../../core/contact/contact.ts';
import { selectListsById } from '../../core/contact/list-store.ts';
import { readForecastDomains, type ForecastRow } from '../../core/warmup/forecast-store.ts';
import type { TenantProblem } from '../../core/service-health/health-store.ts';
import { readTenantProblems } from '../../core/service-health/service-health.ts';
import { selectTemplatesById } from '../../core/template/template-store.ts';
import type { Template } from '../../core/template/template.ts';
import { countUnread } from '../../core/inbound/mailbox-store.ts';
import { selectInboundBodies, type InboundMessage } from '../../core/inbound/message-store.ts';
import { selectRecipients, type GroupRecipient } from '../../core/message/message-store.ts';
import {
  countRecent,
  selectRunningReplays,
  type RecentDeliveries,
  type RunningReplay,
} from '../../core/webhook/endpoint-activity-store.ts';
import { selectDeliveriesOf, type ShownDelivery } from '../../core/webhook/shown-store.ts';
import type { ApiDeps } from '../deps.ts';

type InboundBodies = Pick<InboundMessage, 'text' | 'html' | 'headers'>;

/** Loaders of the account of one tenant. Keys are UUIDs, except domains by name. */
export interface AccountLoaders {
  campaignStats: DataLoader<string, CampaignStats | null>;
  /** By the name of the sending domain. */
  campaignQueues: DataLoader<string, CampaignQueue | null>;
  forecastsByName: DataLoader<string, ForecastRow | null>;
  templates: DataLoader<string, Template | null>;
  contactLists: DataLoader<string, ContactList | null>;
  /** Of a domain of any tenant: super-admins look at others. */
  forecasts: DataLoader<{ tenantId: string; id: string }, ForecastRow | null, string>;
  /** Recipients of messages to several, by group. */
  recipients: DataLoader<string, GroupRecipient[] | null>;
  unread: DataLoader<string, number | null>;
  inboundBodies: DataLoader<string, InboundBodies | null>;
  deliveries: DataLoader<string, ShownDelivery[] | null>;
  /** By webhook. */
  recentDeliveries: DataLoader<string, RecentDeliveries | null>;
  runningReplays: DataLoader<string, RunningReplay[] | null>;
  /** Of any tenant, for super-admins; null of a tenant without problems. */
  tenantProblems: DataLoader<string, TenantProblem[] | null>;
}

/** Makes the loaders of one request. `tenantId` is asked when the first is used. */
export function createAccountLoaders(
  { db: { pool }, buckets, inTenantOf }: Pick<ApiDeps, 'db' | 'buckets' | 'inTenantOf'>,
  tenantId: () => string,
): AccountLoaders {
  return {
    campaignStats: byKey((ids) => readStats(pool, tenantId(), ids)),
    campaignQueues: byKey((ids) => readQueues(pool, tenantId(), ids)),
    forecastsByName: byKey(async (names) =>
      byId(await readForecastDomains(pool, tenantId(), { names }), (row) => row.name),
    ),
    templates: byKey(async (ids) => byId(await selectTemplatesById(pool, tenantId(), ids), (row) => row.id)),
    contactLists: byKey(async (ids) => byId(await selectListsById(pool, tenantId(), ids), (row) => row.id)),
    forecasts: new DataLoader(
      async (domains) => {
        const byTenant = [...Map.groupBy(domains, (domain) => domain.tenantId)];
        const rows = await Promise.all(
          byTenant.map(([tenant, wanted]) =>
            inTenantOf(tenant, () => readForecastDomains(pool, tenant, { ids: wanted.map(({ id }) => id) })),
          ),
        );
        const found = byId(rows.flat(), (row) => row.domainId);
        return domains.map(({ id }) => found.get(id) ?? null);
      },
      { cacheKeyFn: ({ id }) => id },
    ),
    recipients: byKey(async (groupIds) =>
      Map.groupBy(await selectRecipients(pool, tenantId(), groupIds), (row) => row.groupId),
    ),
    unread: byKey((ids) => countUnread(pool, tenantId(), ids)),
    inboundBodies: byKey((ids) => selectInboundBodies(pool, tenantId(), ids)),
    deliveries: byKey(async (ids) =>
      Map.groupBy(await selectDeliveriesOf(pool, tenantId(), ids), (row) => row.messageId),
    ),
    recentDeliveries: byKey((ids) => countRecent(pool, tenantId(), ids)),
    runningReplays: byKey(async (ids) =>
      Map.groupBy(await selectRunningReplays(pool, tenantId(), ids), (row) => row.endpointId),
    ),
    tenantProblems: byKey((ids) => readTenantProblems(buckets, ids)),
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
