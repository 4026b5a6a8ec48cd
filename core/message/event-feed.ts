// The feed: what happened to a tenant's mail, in the words of the contract. The record and a message's timeline say
// `bounced`, the feed says `bounce`: one is mapped to the other here and nowhere else.

import type { Database } from '../db/pool.ts';
import { selectEventsById, selectFeed, type FeedRow } from './event-feed-store.ts';
import type { EventType } from './event-store.ts';

/** Kinds of the feed, with how each is stored. */
const STORED = {
  open: 'open',
  click: 'click',
  bounce: 'bounced',
  complaint: 'complaint',
  delivered: 'delivered',
  deferred: 'deferred',
  dropped: 'dropped',
  unsubscribe: 'unsubscribe',
  expired: 'expired',
  cancelled: 'cancelled',
} as const satisfies Record<string, EventType>;

/** A kind of the feed. */
export type FeedType = keyof typeof STORED;

/** Every kind that can be asked for. */
export const FEED_TYPES = Object.keys(STORED) as [FeedType, ...FeedType[]];

const KIND_OF = Object.fromEntries(FEED_TYPES.map((type) => [STORED[type], type])) as Record<
  EventType,
  FeedType
>;

/** What the feed holds when nothing is asked for. */
export const DEFAULT_FEED_TYPES: readonly FeedType[] = ['open', 'click', 'bounce', 'complaint'];

/** One event of the feed. Ids are UUIDs. */
export interface FeedEvent extends Omit<FeedRow, 'type'> {
  type: FeedType;
}

/** What to show of the feed; `before` is the id of the last event of the page before. */
export interface FeedQuery {
  types: readonly FeedType[];
  messageId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  before?: string | undefined;
  limit: number;
}

/** A page of the feed, newest first. Costs the same wherever in the feed it is. */
export async function listEvents(
  db: Pick<Database, 'pool'>,
  tenantId: string,
  query: FeedQuery,
): Promise<FeedEvent[]> {
  const rows = await selectFeed(db.pool, tenantId, { ...query, types: toStored(query.types) });
  return rows.map(toFeedEvent);
}

/** What live views show: these events, and those of these messages of the last minute, of the given kinds. */
export async function listLiveEvents(
  db: Pick<Database, 'pool'>,
  tenantId: string,
  wanted: { types: readonly FeedType[]; events: string[]; messages: string[] },
): Promise<FeedEvent[]> {
  const rows = await selectEventsById(db.pool, tenantId, { ...wanted, types: toStored(wanted.types) });
  return rows.map(toFeedEvent);
}

/** How these kinds are stored. */
export function toStored(types: readonly FeedType[]): EventType[] {
  return [...new Set(types)].map((type) => STORED[type]);
}

/** A stored event in the words of the feed. */
export function toFeedEvent(row: FeedRow): FeedEvent {
  const type = KIND_OF[row.type];
  return { ...row, type, data: feedData(type, row.data) };
}

// Every field of the contract is there, whoever recorded the event; what else was recorded stays.
function feedData(type: FeedType, data: Record<string, unknown>): Record<string, unknown> {
  switch (type) {
    case 'open':
      return { user_agent: null, ip: null, machine_open: false, ...data };
    case 'click':
      return { url: null, user_agent: null, ip: null, machine_click: false, ...data };
    case 'bounce':
      return {
        kind: 'hard',
        class: null,
        smtp_code: null,
        enhanced_code: null,
        diagnostic: null,
        source: 'smtp',
        ...data,
      };
    case 'complaint':
      return { feedback_type: 'abuse', source: 'arf', ...data };
    case 'delivered':
    case 'deferred':
    case 'dropped':
    case 'unsubscribe':
    case 'expired':
    case 'cancelled':
      return data;
    default:
      return type satisfies never;
  }
}
