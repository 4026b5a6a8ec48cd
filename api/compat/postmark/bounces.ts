// getBounces and getBounce: bounces and complaints of the event feed.

import { z } from 'zod';

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import { normalizeEmail } from '../../../core/mail/address.ts';
import { listEvents, type FeedEvent } from '../../../core/message/event-feed.ts';
import { selectAmong } from '../../../core/message/message-list-store.ts';
import type { MessageSummary } from '../../../core/message/message-store.ts';
import { findSuppressed } from '../../../core/suppression/suppression-store.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint } from '../service.ts';
import { afterNumber, bounceNumber } from './bounce-number.ts';
import { BOUNCE_CODES, bounceType } from './bounce-types.ts';
import { readTags } from './names.ts';
import { listQuery, readPage } from './paging.ts';

const query = listQuery({
  type: z.string().max(100).optional(),
  inactive: z.enum(['true', 'false']).optional(),
  emailfilter: z.string().max(320).optional(),
  messageid: z
    .string()
    .transform((id, context) => {
      const uuid = fromId('msg', id);
      if (uuid !== null) return uuid;
      context.addIssue({ code: 'custom', message: 'is not a message id (msg_…)' });
      return z.NEVER;
    })
    .optional(),
  tag: z.string().max(256).optional(),
  messagestream: z.string().max(100).optional(),
});

interface BounceRow {
  event: FeedEvent;
  message: MessageSummary | undefined;
  inactive: boolean;
}

const params = z.object({ id: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });

/** GET /bounces */
export const getBounces = defineEndpoint(
  { method: 'GET', path: '/bounces', access: 'events:read', group: 'Bounces', query, status: 200 },
  async ({ deps, caller: { tenantId }, query: given }) => {
    const read = async (last: BounceRow | undefined, limit: number): Promise<BounceRow[]> => {
      const events = await listEvents(deps.db, tenantId, {
        types: ['bounce', 'complaint'],
        messageId: given.messageid,
        since: given.fromdate,
        until: given.todate,
        before: last?.event.id,
        limit,
      });
      return withContext(deps, tenantId, events);
    };
    const { total, items } = await readPage(given, read, ({ event, message, inactive }) => {
      const { Tag, MessageStream } = readTags(message?.tags ?? []);
      return (
        (given.type === undefined || bounceType(event) === given.type) &&
        (given.inactive === undefined || String(inactive) === given.inactive) &&
        (given.emailfilter === undefined ||
          event.recipient.toLowerCase().includes(given.emailfilter.toLowerCase())) &&
        (given.tag === undefined || Tag === given.tag) &&
        (given.messagestream === undefined || MessageStream === given.messagestream)
      );
    });
    return { data: { TotalCount: total, Bounces: items.map(toBounce) } };
  },
);

/** GET /bounces/{id} */
export const getBounce = defineEndpoint(
  { method: 'GET', path: '/bounces/{id}', access: 'events:read', group: 'Bounces', params, status: 200 },
  async ({ deps, caller: { tenantId }, params: { id } }) => {
    const events = await listEvents(deps.db, tenantId, {
      types: ['bounce', 'complaint'],
      before: afterNumber(id),
      limit: SAME_MILLISECOND,
    });
    const [row] = await withContext(
      deps,
      tenantId,
      events.filter((one) => bounceNumber(one.id) === id),
    );
    if (!row) throw notFound('bounce');
    return { data: toBounce(row) };
  },
);

// Bounces that a tenant has in one millisecond, at most.
const SAME_MILLISECOND = 200;

// The messages, and who of the recipients is suppressed now: one question for each, whatever the number of events.
async function withContext(deps: ApiDeps, tenantId: string, events: FeedEvent[]): Promise<BounceRow[]> {
  if (events.length === 0) return [];
  const ids = [...new Set(events.map(({ messageId }) => messageId))];
  const emails = [...new Set(events.map(({ recipient }) => normalizeEmail(recipient)))];
  const [messages, suppressed] = await Promise.all([
    selectAmong(deps.db.pool, { tenantId, filter: {}, oldestFirst: false }, ids, ids.length),
    findSuppressed(
      deps.db.pool,
      emails.map((email) => ({ tenantId, email })),
    ),
  ]);
  const byId = new Map(messages.map((one) => [one.id, one]));
  return events.map((event) => ({
    event,
    message: byId.get(event.messageId),
    inactive: suppressed.get(`${tenantId} ${normalizeEmail(event.recipient)}`) === 'all',
  }));
}

function toBounce({ event, message, inactive }: BounceRow) {
  const Type = bounceType(event);
  const { code, name, description } = BOUNCE_CODES[Type];
  const details = event.data['diagnostic'] ?? event.data['feedback_type'];
  return {
    RecordType: 'Bounce',
    ID: bounceNumber(event.id),
    Type,
    TypeCode: code,
    Name: name,
    Description: description,
    Details: typeof details === 'string' ? details : '',
    MessageID: toId('msg', event.messageId),
    ServerID: 0,
    Email: event.recipient,
    From: message?.from ?? '',
    Subject: message?.subject ?? '',
    BouncedAt: event.occurredAt.toISOString(),
    DumpAvailable: false,
    Inactive: inactive,
    CanActivate: inactive && Type !== 'SpamComplaint',
    ...readTags(message?.tags ?? []),
  };
}
