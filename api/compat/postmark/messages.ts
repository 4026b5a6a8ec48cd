// getOutboundMessages, getOutboundMessageDetails, getOutboundMessageDump.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { invalidField, notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { parseMailbox } from '../../../core/mail/address.ts';
import { messageFilters, toMessageFilter } from '../../../core/message/list-input.ts';
import { listMessages } from '../../../core/message/list-messages.ts';
import {
  addressesOf,
  readMessage,
  selectEvents,
  selectRecipients,
  type GroupRecipient,
  type MessageSummary,
} from '../../../core/message/message-store.ts';
import type { ApiDeps } from '../../deps.ts';
import { type Endpoint } from '../../endpoint.ts';
import { readKeptContent } from '../../read-content.ts';
import { defineEndpoint } from '../service.ts';
import { toMessageEvent } from './message-events.ts';
import { readTags, STREAMS, TAG } from './names.ts';
import { listQuery, readPage } from './paging.ts';

const GROUP = 'Messages';
const ACCESS = 'transactional:read';
const params = z.object({ id: idInput('msg') });

const query = listQuery({
  recipient: messageFilters.to,
  fromemail: z.string().max(320).optional(),
  tag: z.string().max(256).optional(),
  status: z.enum(['queued', 'sent', 'processed']).optional(),
  subject: messageFilters.q,
  messagestream: z.enum(STREAMS).optional(),
});

/** GET /messages/outbound and what is below it. */
export const MESSAGE_ROUTES: readonly Endpoint[] = [
  defineEndpoint(
    { method: 'GET', path: '/messages/outbound', access: ACCESS, group: GROUP, query, status: 200 },
    async ({ deps, caller: { tenantId }, query: given }) => {
      const filter = toMessageFilter({
        to: given.recipient,
        q: given.subject,
        since: given.fromdate,
        until: given.todate,
        tag: given.tag === undefined ? undefined : { name: TAG, value: given.tag },
        domain: given.fromemail === undefined ? undefined : domainOf(given.fromemail),
      });
      const page = await readPage<MessageSummary>(
        given,
        (last, limit) => listMessages(deps.db.pool, tenantId, filter, { before: last?.id, limit }),
        (one) =>
          (given.fromemail === undefined || addressOf(one.from) === addressOf(given.fromemail)) &&
          (given.status === undefined || STATUS[one.status].toLowerCase() === given.status) &&
          (given.messagestream === undefined || readTags(one.tags).MessageStream === given.messagestream),
      );
      const recipients = await recipientsOf(deps, tenantId, page.items);
      const Messages = page.items.map((one) => toMessage(one, recipients.get(one.groupId ?? '') ?? []));
      return { data: { TotalCount: page.total, Messages } };
    },
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: '/messages/outbound/{id}/details',
      access: ACCESS,
      group: GROUP,
      params,
      status: 200,
    },
    async ({ deps, by, caller: { tenantId }, params: { id } }) => {
      const message = await readMessage(deps.db.pool, tenantId, id);
      if (!message) throw notFound('message');
      const all = message.recipients.length > 0 ? message.recipients : [{ id, email: message.to }];
      const emailOf = new Map(all.map((one) => [one.id, one.email]));
      const [events, content] = await Promise.all([
        selectEvents(deps.db.pool, tenantId, [...emailOf.keys()]),
        readKeptContent(deps, { by, tenantId, id }),
      ]);
      const parts = content?.parts();
      const byTime = events.toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
      const data = {
        ...toMessage(message, message.recipients),
        Recipients: [...emailOf.values()],
        ...trackingOf(content?.tracked ?? null),
        Attachments: parts?.attachments.map(({ filename }) => filename) ?? [],
        HtmlBody: parts?.html ?? '',
        TextBody: parts?.text ?? '',
        Body: content?.source.toString() ?? '',
        MessageEvents: byTime.flatMap((event) => toMessageEvent(event, emailOf.get(event.messageId) ?? '')),
      };
      return { data };
    },
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: '/messages/outbound/{id}/dump',
      access: ACCESS,
      group: GROUP,
      params,
      status: 200,
    },
    async ({ deps, by, caller: { tenantId }, params: { id } }) => {
      const content = await readKeptContent(deps, { by, tenantId, id });
      return { data: { Body: content?.source.toString() ?? '' } };
    },
  ),
];

const STATUS: Readonly<Record<MessageSummary['status'], 'Queued' | 'Sent' | 'Processed'>> = {
  queued: 'Queued',
  sending: 'Queued',
  deferred: 'Queued',
  delivered: 'Sent',
  bounced: 'Sent',
  expired: 'Sent',
  dropped: 'Processed',
  cancelled: 'Processed',
};

function addressOf(text: string): string | null {
  const parsed = parseMailbox(text);
  return parsed.ok ? parsed.address.email.toLowerCase() : null;
}

function domainOf(text: string): string {
  const parsed = parseMailbox(text);
  if (parsed.ok) return parsed.address.domain;
  throw invalidField('fromemail', 'must be an email address');
}

async function recipientsOf(deps: ApiDeps, tenantId: string, messages: MessageSummary[]) {
  const groups = [...new Set(messages.flatMap(({ groupId }) => groupId ?? []))];
  const all = groups.length === 0 ? [] : await selectRecipients(deps.db.pool, tenantId, groups);
  return Map.groupBy(all, ({ groupId }) => groupId);
}

// Without the content it is not known: what mail with HTML has unless it was sent otherwise.
function trackingOf(tracked: { opens: boolean; clicks: boolean } | null) {
  const { opens, clicks } = tracked ?? { opens: true, clicks: true };
  return { TrackOpens: opens, TrackLinks: clicks ? 'HtmlOnly' : 'None' };
}

// To, Cc and Bcc are those of the message as it was sent; `Recipients` is whom this one of its ids stands for.
function toMessage(message: MessageSummary, group: Pick<GroupRecipient, 'email' | 'field'>[]) {
  const { headerTo, cc, bcc } = addressesOf(message.to, group);
  const named = (emails: string[]) => emails.map((Email) => ({ Email, Name: '' }));
  return {
    MessageID: toId('msg', message.id),
    To: named(headerTo),
    Cc: named(cc),
    Bcc: named(bcc),
    Recipients: [message.to],
    ReceivedAt: message.createdAt.toISOString(),
    From: message.from,
    Subject: message.subject,
    Attachments: [] as string[],
    Status: STATUS[message.status],
    ...readTags(message.tags),
    ...trackingOf(null),
    Sandboxed: false,
  };
}
