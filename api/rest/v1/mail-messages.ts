// /mail/messages: inbound mail to read.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { NOT_SCANNED_REASONS, SCAN_OFF, SCAN_VERDICTS } from '../../../core/db/schema/inbound.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  listInbound,
  selectInbound,
  type InboundMessage,
  type InboundSummary,
} from '../../../core/inbound/message-store.ts';
import { deleteMessage, markMessage } from '../../../core/inbound/messages.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import type { ApiDeps } from '../../deps.ts';
import { jsonBody } from '../../endpoint.ts';
import { noteInboundRead, type ContentRead } from '../../read-content.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Inbound mail';
const params = z.object({ id: idInput('inm') });
const verdict = z.string().meta({ description: '`pass`, `fail`, `none`, …' });

const scanView = z
  .object({
    verdict: z.enum(SCAN_VERDICTS),
    reason: z
      .enum(NOT_SCANNED_REASONS)
      .nullable()
      .meta({ description: 'why it was not scanned; null when it was' }),
    score: z.number().nullable(),
    required_score: z.number().nullable().meta({ description: 'the score from which the scanner rejects' }),
    action: z
      .string()
      .nullable()
      .meta({ description: 'what rspamd advises: `no action`, `add header`, `reject` …' }),
    virus: z.string().nullable().meta({ description: 'the name of the virus' }),
    symbols: z
      .array(z.object({ name: z.string(), score: z.number() }))
      .meta({ description: 'the ten rules that matched with the largest scores' }),
  })
  .meta({ id: 'InboundScan', description: 'What the scanner (rspamd) said of an inbound message' });

const summaryView = z
  .object({
    id: idView('inm'),
    mailbox_id: idView('mbx').nullable().meta({ description: 'null when no mailbox matches the recipient' }),
    envelope_from: z.string().meta({ description: 'MAIL FROM; empty for the null sender' }),
    recipient: z.string().meta({ description: 'RCPT TO' }),
    from: z.string().nullable(),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    subject: z.string().nullable(),
    date: z.iso.datetime().nullable(),
    attachments: z.array(
      z.object({
        index: z.int(),
        filename: z.string().nullable(),
        content_type: z.string(),
        size_bytes: z.int(),
      }),
    ),
    auth: z
      .object({
        spf: verdict,
        dkim: verdict,
        dmarc: verdict,
        arc: verdict.optional().meta({
          description:
            'the seals of servers that passed the message on (RFC 8617), where there are any: `pass` can explain why DMARC fails',
        }),
      })
      .meta({ description: 'recorded, never enforced' }),
    auto_submitted: z
      .boolean()
      .meta({ description: 'sent automatically (RFC 3834): do not reply automatically' }),
    parse_error: z.string().nullable().meta({
      description: 'why it could not be parsed, or that it has several From; the raw message is complete',
    }),
    read: z.boolean(),
    junk: z.boolean().meta({
      description: 'spam or a virus, at a domain whose `spam_policy` is `mark` or `refuse`',
    }),
    scan: scanView,
    size_bytes: z.int(),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'InboundSummary', description: 'An inbound message without its bodies' });

const messageView = summaryView
  .extend({
    text: z.string().nullable(),
    html: z.string().nullable().meta({ description: 'unchanged and untrusted' }),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
  })
  .meta({ id: 'InboundMessage', description: 'An inbound message' });

/** GET /mail/messages */
export const getInboundMessages = defineRoute(
  {
    operationId: 'listInboundMessages',
    method: 'GET',
    path: '/mail/messages',
    access: 'mail:read',
    group: GROUP,
    summary: 'List inbound messages',
    query: z.strictObject({
      ...pageQuery,
      mailbox_id: idInput('mbx').optional(),
      read: z.enum(['true', 'false']).optional(),
      junk: z.enum(['true', 'false']).optional(),
      q: z
        .string()
        .max(500)
        .optional()
        .meta({ description: 'words to search for in the subject, the addresses and the text' }),
    }),
    response: pageOf(summaryView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listInbound(deps.db.pool, caller.tenantId, {
      before,
      limit: query.limit + 1,
      mailboxId: query.mailbox_id ?? null,
      read: query.read === undefined ? undefined : query.read === 'true',
      junk: query.junk === undefined ? undefined : query.junk === 'true',
      q: query.q,
    });
    return { data: toPage(rows, query.limit, (row) => [row.id], toSummary) };
  },
);

/** GET /mail/messages/{id} */
export const getInboundMessage = defineRoute(
  {
    operationId: 'getInboundMessage',
    method: 'GET',
    path: '/mail/messages/{id}',
    access: 'mail:read',
    group: GROUP,
    summary: 'Read an inbound message',
    params,
    response: messageView,
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => ({
    data: await readWhole(deps, { by, tenantId, id }),
  }),
);

/** PATCH /mail/messages/{id} */
export const patchInboundMessage = defineRoute(
  {
    operationId: 'changeInboundMessage',
    method: 'PATCH',
    path: '/mail/messages/{id}',
    access: 'mail:write',
    group: GROUP,
    summary: 'Mark an inbound message as read or unread',
    params,
    body: jsonBody(z.strictObject({ read: z.boolean().optional() })),
    response: messageView,
    status: 200,
    example: { read: true },
  },
  async ({ deps, by, caller: { tenantId }, params: { id }, body }) => {
    if (body.read !== undefined) await markMessage(deps.db, tenantId, id, body.read);
    return { data: await readWhole(deps, { by, tenantId, id }) };
  },
);

/** DELETE /mail/messages/{id} */
export const removeInboundMessage = defineRoute(
  {
    operationId: 'deleteInboundMessage',
    method: 'DELETE',
    path: '/mail/messages/{id}',
    access: 'mail:write',
    group: GROUP,
    summary: 'Delete an inbound message',
    description: 'A webhook delivery in progress continues.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, by, caller, params: { id } }) => {
    await deleteMessage(deps, by, caller.tenantId, id);
    return { data: { id: toId('inm', id), deleted: true as const } };
  },
);

async function readWhole(deps: ApiDeps, read: ContentRead): Promise<z.input<typeof messageView>> {
  const message = await selectInbound(deps.db.pool, read.tenantId, read.id);
  if (!message) throw notFound('message');
  await noteInboundRead(deps, read);
  return toMessage(message);
}

function toSummary(message: InboundSummary): z.input<typeof summaryView> {
  return {
    id: toId('inm', message.id),
    mailbox_id: message.mailboxId === null ? null : toId('mbx', message.mailboxId),
    envelope_from: message.envelopeFrom,
    recipient: message.recipient,
    from: message.from,
    to: message.to,
    cc: message.cc,
    subject: message.subject,
    date: message.date?.toISOString() ?? null,
    attachments: message.attachments,
    auth: message.auth,
    auto_submitted: message.autoSubmitted,
    parse_error: message.parseError,
    read: message.read,
    junk: message.junk,
    scan: message.scan ?? SCAN_OFF,
    size_bytes: message.sizeBytes,
    received_at: message.receivedAt.toISOString(),
  };
}

function toMessage(message: InboundMessage): z.input<typeof messageView> {
  const { text, html, headers } = message;
  return { ...toSummary(message), text, html, headers };
}
