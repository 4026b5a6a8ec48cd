// Counts what became of mail into analytics_days, some 30 seconds later: who accepts and delivers pays nothing for it.
//
// Two cursors of a tenant move in one transaction with the counts: one along its messages in the order of ids (accepted), one
// along event_log in the order of commit (all else). An outcome is counted after its message was: a day never has more
// delivered than accepted. A message whose id is behind the cursor when it is inserted counts itself (countLateMessages).
//
// Dies here: the transaction is undone, the next step counts the same again (docs/crashes-scheduler.md).

import type pg from 'pg';

import type { Fail } from '../base/failpoint.ts';
import { inTransaction } from '../db/transaction.ts';
import { lockSegments } from '../message/search/segment-store.ts';
import { SETTLE_MS } from '../message/search/segments.ts';
import { KINDS, MAX_VALUES, OTHER, type CountName } from './analytics.ts';
import {
  addCounted,
  insertEngagements,
  lockCursor,
  moveCursor,
  selectBehind,
  selectCrowded,
  selectEvents,
  selectLate,
  selectMessages,
  type Counted,
  type CountedEvent,
  type AcceptedMessage,
  type CountedMessage,
} from './roll-up-store.ts';

const MESSAGES = 5_000; // of one tenant in one step: about 100 ms
const EVENTS = 2_000; // likewise; each is looked up with its message and attempt

/** Counts what waits to be, for each tenant at most one batch. Returns whether some tenant has more. */
export async function rollUp(pool: pg.Pool, signal: AbortSignal, fail: Fail): Promise<boolean> {
  let hasMore = false;
  for (const tenantId of await selectBehind(pool, SETTLE_MS)) {
    if (signal.aborted) break;
    if (await inTransaction(pool, (client) => rollUpTenant(client, tenantId, fail))) hasMore = true;
  }
  return hasMore;
}

async function rollUpTenant(client: pg.ClientBase, tenantId: string, fail: Fail): Promise<boolean> {
  await lockSegments(client, [tenantId]); // whoever inserts a late message sees this cursor, or is seen by it
  const cursor = await lockCursor(client, tenantId, SETTLE_MS);
  const messages = await selectMessages(client, tenantId, cursor, MESSAGES);
  const countedTo = messages.length === MESSAGES ? messages.at(-1)!.id : cursor.settledId;
  const read = await selectEvents(client, tenantId, cursor.position, EVENTS);
  const young = read.findIndex(({ messageId }) => messageId !== null && messageId > countedTo);
  const events = young === -1 ? read : read.slice(0, young);
  if (messages.length + events.length === 0) return false;
  const counts = createCounts();
  addAccepted(counts, messages);
  countEvents(counts, events, await insertEngagements(client, tenantId, events));
  await addCounted(client, tenantId, await uncrowd(client, tenantId, counts.all()));
  const position = events.at(-1)?.position ?? cursor.position;
  await moveCursor(client, tenantId, { position, messageId: countedTo });
  fail('analytics.before-commit');
  return messages.length === MESSAGES || events.length === EVENTS;
}

/** Counts messages that were inserted by this transaction with ids that may be behind the cursor. Needs the lock of segments. */
export async function countLateMessages(
  client: pg.ClientBase,
  late: readonly { tenantId: string; id: string }[],
): Promise<void> {
  for (const [tenantId, rows] of Map.groupBy(late, (row) => row.tenantId)) {
    const counts = createCounts();
    const ids = rows.map(({ id }) => id);
    addAccepted(counts, await selectLate(client, tenantId, ids));
    await addCounted(client, tenantId, await uncrowd(client, tenantId, counts.all()));
  }
}

function addAccepted(counts: ReturnType<typeof createCounts>, messages: readonly AcceptedMessage[]): void {
  for (const message of messages) if (message.isCounted) counts.add(message, 'accepted');
}

type Countable = Pick<CountedMessage, 'day' | 'domainId' | 'campaignId' | 'tags'> & {
  provider?: string | null;
};

function createCounts() {
  const rows = new Map<string, Counted>();
  return {
    add(message: Countable, name: CountName, by = 1, kinds: readonly string[] = KINDS): void {
      for (const [kind, value] of keysOf(message)) {
        if (!kinds.includes(kind)) continue;
        const key = JSON.stringify([kind, message.day, value, message.domainId]);
        const row = rows.get(key) ?? {
          kind,
          day: message.day,
          value,
          domainId: message.domainId,
          counts: {},
        };
        row.counts[name] = (row.counts[name] ?? 0) + by;
        rows.set(key, row);
      }
    },
    all: () => [...rows.values()],
  };
}

function keysOf({ tags, campaignId, provider = null }: Countable): [Counted['kind'], string][] {
  const own = new Set(tags.map(({ name, value }) => `${name}=${value}`));
  return [
    ['all', ''],
    ...[...own].map((tag): [Counted['kind'], string] => ['tag', tag]),
    ...(campaignId === null ? [] : [['campaign', campaignId] as [Counted['kind'], string]]),
    ...(provider === null ? [] : [['provider', provider] as [Counted['kind'], string]]),
  ];
}

const ENDS = { delivered: 1, bounced: 1, expired: 1, dropped: 1, cancelled: 1 } as const;
const ENGAGED = {
  open: 'opened',
  click: 'clicked',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
} as const;

function countEvents(
  counts: ReturnType<typeof createCounts>,
  events: readonly CountedEvent[],
  firsts: ReadonlySet<string>,
): void {
  for (const { day, ...event } of events) {
    if (day === null) continue; // retention removed the message meanwhile, or its mail is not counted
    const message = { ...event, day };
    if (event.type in ENDS) {
      counts.add(message, event.type as keyof typeof ENDS);
      if (event.wasDelivered) counts.add(message, 'delivered', -1);
      else counts.add(message, 'accepted', 1, ['provider']);
    } else if (event.type in ENGAGED && firsts.has(event.id)) {
      counts.add(message, ENGAGED[event.type as keyof typeof ENGAGED]);
    }
  }
}

// A value that comes when its day is full counts as OTHER, then and ever after: rows are only added.
async function uncrowd(client: pg.ClientBase, tenantId: string, rows: Counted[]): Promise<Counted[]> {
  const crowded = await selectCrowded(
    client,
    tenantId,
    rows.filter(({ kind }) => kind !== 'all'),
    MAX_VALUES,
  );
  if (crowded.size === 0) return rows;
  const kept = new Map<string, Counted>();
  for (const [at, row] of rows.filter(({ kind }) => kind !== 'all').entries()) {
    const value = crowded.has(at) ? OTHER : row.value;
    const key = JSON.stringify([row.kind, row.day, value, row.domainId]);
    const into = kept.get(key) ?? { ...row, value, counts: {} };
    for (const [name, n] of Object.entries(row.counts) as [CountName, number][])
      into.counts[name] = (into.counts[name] ?? 0) + n;
    kept.set(key, into);
  }
  return [...rows.filter(({ kind }) => kind === 'all'), ...kept.values()];
}
