// emails.get, list, update and cancel.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { nowDate } from '../../../core/base/clock.ts';
import { notFound } from '../../../core/base/errors.ts';
import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import { toId } from '../../../core/base/ids.ts';
import { instant } from '../../../core/base/time-input.ts';
import { cancelMessage } from '../../../core/message/cancel-message.ts';
import { listMessages } from '../../../core/message/list-messages.ts';
import type { MessageParts } from '../../../core/message/read-content.ts';
import {
  readMessage,
  selectEvents,
  selectMessage,
  selectRecipients,
  type MessageSummary,
} from '../../../core/message/message-store.ts';
import { rescheduleMessage } from '../../../core/message/reschedule-message.ts';
import type { ApiDeps } from '../../deps.ts';
import { type BodySpec } from '../../endpoint.ts';
import { DEFAULT_BODY_BYTES } from '../../read-body.ts';
import { readKeptContent } from '../../read-content.ts';
import { splitAddresses } from '../address-list.ts';
import { defineEndpoint } from '../service.ts';
import { toEmail } from './email-view.ts';
import { listQuery, toList, toPart } from './lists.ts';
import { readScheduledAt } from './scheduled-at.ts';

const GROUP = 'Emails';
const params = z.object({ id: idInput('msg') });

/** GET /emails/{id}: emails.get */
export const getEmail = defineEndpoint(
  { method: 'GET', path: '/emails/{id}', access: 'transactional:send', group: GROUP, params, status: 200 },
  async ({ deps, by, caller: { tenantId, scopes }, params: { id } }) => {
    const message = await readMessage(deps.db.pool, tenantId, id);
    if (!message) throw notFound('email');
    const content = scopes.has('transactional:read')
      ? ((await readKeptContent(deps, { by, tenantId, id }))?.parts() ?? null)
      : null;
    return {
      data: {
        object: 'email',
        ...toEmail(message, message.recipients, message.events),
        tags: message.tags,
        subject: content?.subject ?? message.subject,
        html: content?.html || null,
        text: content?.text || null,
        reply_to: replyTo(content),
      },
    };
  },
);

/** GET /emails: emails.list */
export const listEmails = defineEndpoint(
  {
    method: 'GET',
    path: '/emails',
    access: 'transactional:read',
    group: GROUP,
    query: listQuery,
    status: 200,
  },
  async ({ deps, caller: { tenantId }, query }) => {
    const part = toPart(query, 'msg');
    const { before, after, limit } = part.page;
    const rows = await listMessages(
      deps.db.pool,
      tenantId,
      { firstOfGroup: true },
      { before: before ?? undefined, after: after ?? undefined, oldestFirst: after !== null, limit },
    );
    const [recipients, events] = await Promise.all([
      selectRecipientsOf(deps, tenantId, rows),
      selectEvents(
        deps.db.pool,
        tenantId,
        rows.map(({ id }) => id),
      ),
    ]);
    return {
      data: toList(rows, part, (row) =>
        toEmail(
          row,
          recipients.filter(({ groupId }) => groupId === row.id),
          events.filter(({ messageId }) => messageId === row.id),
        ),
      ),
    };
  },
);

const newTime: BodySpec<{ scheduled_at: Date }> = {
  schema: z.unknown(),
  check: checkNewTime,
  limitBytes: DEFAULT_BODY_BYTES,
};

/** PATCH /emails/{id}: emails.update */
export const updateEmail = defineEndpoint(
  {
    method: 'PATCH',
    path: '/emails/{id}',
    access: 'transactional:send',
    group: GROUP,
    params,
    body: newTime,
    status: 200,
  },
  async ({ deps, caller, by, params: { id }, body }) => {
    await forEachWaiting(deps, caller.tenantId, id, (one) =>
      rescheduleMessage(deps, by, caller.tenantId, one, body.scheduled_at),
    );
    return { data: { object: 'email', id: toId('msg', id) } };
  },
);

/** POST /emails/{id}/cancel: emails.cancel */
export const cancelEmail = defineEndpoint(
  {
    method: 'POST',
    path: '/emails/{id}/cancel',
    access: 'transactional:send',
    group: GROUP,
    params,
    status: 200,
    rateClass: 'write',
  },
  async ({ deps, caller, by, params: { id } }) => {
    await forEachWaiting(deps, caller.tenantId, id, (one) => cancelMessage(deps, by, caller.tenantId, one));
    return { data: { object: 'email', id: toId('msg', id) } };
  },
);

// An email is one there, whatever its number of recipients: what is done with it is done with each that still waits.
async function forEachWaiting(
  deps: ApiDeps,
  tenantId: string,
  id: string,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const message = await selectMessage(deps.db.pool, tenantId, id);
  if (!message) throw notFound('email');
  const recipients = await selectRecipientsOf(deps, tenantId, [message]);
  const waiting = recipients.filter(({ status }) => status === 'deferred');
  if (waiting.length === 0) return work(id); // which says why it cannot
  for (const { id: one } of waiting) await work(one);
}

async function selectRecipientsOf(deps: ApiDeps, tenantId: string, messages: readonly MessageSummary[]) {
  const groupIds = messages.flatMap(({ groupId }) => groupId ?? []);
  return groupIds.length === 0 ? [] : selectRecipients(deps.db.pool, tenantId, groupIds);
}

function replyTo(content: MessageParts | null): string[] {
  const field = content?.headers.find(({ name }) => name.toLowerCase() === 'reply-to');
  return field ? splitAddresses(field.value) : [];
}

function checkNewTime(raw: unknown): Checked<{ scheduled_at: Date }> {
  const given = (raw as { scheduled_at?: unknown } | null)?.scheduled_at;
  return checkValue(z.object({ scheduled_at: instant }), {
    scheduled_at: readScheduledAt(given, nowDate()),
  });
}
