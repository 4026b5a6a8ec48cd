// Subscriptions: messages, events, warm-up and campaigns as they change, over Server-Sent Events.

import { z } from 'zod';

import { fromId, toId } from '../../../core/base/ids.ts';
import type { Campaign } from '../../../core/campaign/campaign.ts';
import { getCampaign } from '../../../core/campaign/campaigns.ts';
import type { DomainView } from '../../../core/domain/domain.ts';
import { getDomain } from '../../../core/domain/domains.ts';
import { FEED_TYPES, listLiveEvents, type FeedEvent } from '../../../core/message/event-feed.ts';
import { type MessageSummary, selectMessage } from '../../../core/message/message-store.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { openLive } from '../live-stream.ts';
import { requireId } from '../check-input.ts';
import type { CampaignTypes } from './campaign.ts';
import type { DomainTypes } from './domain.ts';
import { readTypes, type EventTypes } from './event.ts';
import type { MessageTypes } from './message.ts';

const CAMPAIGN_EVERY_MS = 1_000; // its counts are read from many rows

const messageChanges = z.object({ changes: z.array(z.object({ id: z.string() })) });
const eventIds = z.object({ id: z.string() });
const domainIds = z.object({ domain_id: z.string() });
const campaignIds = z.object({ campaign_id: z.string() });

/** Adds the subscriptions. */
export function addLiveTypes(
  builder: Builder,
  types: CampaignTypes & DomainTypes & EventTypes & MessageTypes,
): void {
  builder.subscriptionType({ authScopes: { signedIn: true } });
  addMessageUpdated(builder, types);
  addEventAdded(builder, types);
  addWarmupChanged(builder, types);
  addCampaignProgress(builder, types);
}

function addMessageUpdated(builder: Builder, { message }: MessageTypes): void {
  builder.subscriptionField('messageUpdated', (t) =>
    t.field({
      type: message,
      description: 'Messages whose status changed: all of the tenant, or one',
      args: { id: t.arg.id() },
      subscribe: (_root, args, context) => {
        const { tenantId } = signedIn(context);
        const only = args.id ? requireId('msg', args.id, 'message') : null;
        const { pool } = context.deps.db;
        return openLive<MessageSummary>(context, {
          topics: { messages: (json) => changedMessages(json).filter((id) => only === null || id === only) },
          read: (ids) => readAll(ids, (id) => selectMessage(pool, tenantId, id)),
        });
      },
      resolve: (row) => row,
    }),
  );
}

function addEventAdded(builder: Builder, { event }: EventTypes): void {
  builder.subscriptionField('eventAdded', (t) =>
    t.field({
      type: event,
      description: `Events as they are recorded; all types by default`,
      args: { types: t.arg.stringList() },
      subscribe: (_root, args, context) => {
        const { tenantId } = signedIn(context);
        const types = args.types ? readTypes(args.types) : FEED_TYPES;
        const shown = createRecent();
        return openLive<FeedEvent>(context, {
          topics: {
            events: (json) => listOf(eventIds, json).map(({ id }) => `event ${id}`),
            messages: (json) => changedMessages(json).map((id) => `message ${id}`),
          },
          read: async (keys) => {
            const rows = await listLiveEvents(context.deps.db, tenantId, {
              types,
              events: namesOf(keys, 'event '),
              messages: namesOf(keys, 'message '),
            });
            return rows.filter(({ id }) => shown.isNew(id));
          },
        });
      },
      resolve: (row) => row,
    }),
  );
}

function addWarmupChanged(builder: Builder, { domain }: DomainTypes): void {
  const update = builder.objectRef<{ domain: DomainView }>('DomainWarmupUpdate').implement({
    fields: (t) => ({ domain: t.expose('domain', { type: domain }) }),
  });
  builder.subscriptionField('warmupChanged', (t) =>
    t.field({
      type: update,
      description: 'Domains whose tier or warm-up state changed',
      subscribe: (_root, _args, context) => {
        const { tenantId } = signedIn(context);
        return openLive<{ domain: DomainView }>(context, {
          topics: { warmup: (json) => listOf(domainIds, json).map(({ domain_id: id }) => id) },
          read: (ids) =>
            readAll(ids, async (id) => {
              const uuid = fromId('dom', id);
              const found = uuid ? await getDomain(context.deps, tenantId, uuid).catch(() => null) : null;
              return found ? { domain: found } : null;
            }),
        });
      },
      resolve: (row) => row,
    }),
  );
}

function addCampaignProgress(builder: Builder, { campaign }: CampaignTypes): void {
  builder.subscriptionField('campaignProgress', (t) =>
    t.field({
      type: campaign,
      description: 'Campaigns with progress: all of the tenant, or one, which then includes its deliveries',
      args: { id: t.arg.id() },
      subscribe: (_root, args, context) => {
        const { tenantId } = signedIn(context);
        const only = args.id ? toId('cmp', requireId('cmp', args.id, 'campaign')) : null;
        return openLive<Campaign>(context, {
          topics: {
            campaigns: (json) =>
              listOf(campaignIds, json)
                .map(({ campaign_id: id }) => id)
                .filter((id) => only === null || id === only),
            ...(only !== null && { messages: () => [only] }),
          },
          everyMs: CAMPAIGN_EVERY_MS,
          read: (ids) =>
            readAll(ids, async (id) => {
              const uuid = fromId('cmp', id);
              return uuid ? getCampaign(context.deps, tenantId, uuid).catch(() => null) : null;
            }),
        });
      },
      resolve: (row) => row,
    }),
  );
}

function changedMessages(json: unknown): string[] {
  return listOf(messageChanges, json).flatMap(({ changes }) => changes.map(({ id }) => id));
}

// What another version of a service may have published is not trusted to have our shape.
function listOf<T>(schema: z.ZodType<T>, json: unknown): T[] {
  const parsed = schema.safeParse(json);
  return parsed.success ? [parsed.data] : [];
}

function namesOf(keys: string[], prefix: string): string[] {
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

async function readAll<T>(keys: string[], read: (key: string) => Promise<T | null>): Promise<T[]> {
  const found = await Promise.all(keys.map(read));
  return found.flatMap((one) => (one === null ? [] : [one]));
}

const REMEMBERED = 1_000; // events that were published; an older one is not published again

function createRecent() {
  const seen = new Set<string>();
  return {
    isNew(id: string): boolean {
      if (seen.has(id)) return false;
      seen.add(id);
      const [oldest] = seen;
      if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
      return true;
    },
  };
}
