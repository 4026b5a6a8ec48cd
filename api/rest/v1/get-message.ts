// GET /transactional/{id}: one message with its attempts and everything that happened to it.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId, type IdPrefix } from '../../../core/base/ids.ts';
import {
  addressesOf,
  type GroupRecipient,
  type MessageDetail,
  type MessageSummary,
  readMessage,
} from '../../../core/message/message-store.ts';
import { TLS_POLICIES, type PeerCertificate } from '../../../core/message/outcome.ts';
import { MESSAGE_STATES } from '../../../core/message/states.ts';
import { expectDelivery } from '../../../core/warmup/expected-delivery.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineRoute } from '../route.ts';
import { recipientView } from './send-answer.ts';

const time = z.iso.datetime();

const summaryFields = z.object({
  id: idView('msg'),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  status: z.enum(MESSAGE_STATES),
  reason: z.string().nullable().meta({ description: 'the reason in the answer to the submission' }),
  defer_reason: z.string().nullable().meta({ description: 'why the message waits' }),
  deferred_until: time.nullable().meta({ description: 'the next time at which the message is tried' }),
  domain: z.string(),
  campaign_id: idView('cmp').nullable(),
  template_id: idView('tpl').nullable(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
  created_at: time,
});

/** A message of a list, in the contract's words. */
export const messageSummaryView = summaryFields.meta({ id: 'MessageSummary', description: 'A message' });

/** A message in the contract's words. */
export const messageView = summaryFields
  .extend({
    to: z.string().meta({ description: 'the recipient of this message' }),
    expected_at: time.nullable().meta({
      description:
        'when the message is expected to be delivered, by the forecast of its domain; null when it does not wait, or nobody can say',
    }),
    header_to: z
      .array(z.string())
      .meta({ description: 'whom the header To names: with one recipient, `to`' }),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    recipients: z
      .array(recipientView(MESSAGE_STATES))
      .optional()
      .meta({ description: 'only with several recipients: each of them in the order of to, cc, bcc' }),
    attempts: z.array(
      z.object({
        at: time,
        mx: z.string().nullable(),
        source: z
          .object({ address: z.string(), hostname: z.string().meta({ description: 'its name in EHLO' }) })
          .nullable()
          .meta({ description: 'the address that it left from, one of a pool; null for the system’s own' }),
        tls: z.string().nullable().meta({
          description: 'TLS version and cipher, as in `TLSv1.3 TLS_AES_256_GCM_SHA384`; null for plain text',
        }),
        tls_verified: z.boolean().nullable().meta({
          description:
            'whether the certificate proved the server: signed by a trusted authority for its name; null for plain text',
        }),
        tls_policy: z.enum(TLS_POLICIES).nullable().meta({
          description: 'the policy of the recipient’s domain that was enforced; null without one',
        }),
        certificate: z
          .object({
            subject: z.string(),
            issuer: z.string(),
            expires_at: time,
            fingerprint: z.string().meta({ description: 'SHA-256, as in `AB:CD:…`' }),
          })
          .nullable()
          .meta({ description: 'what the server showed; null for plain text' }),
        smtp_code: z.int().nullable(),
        enhanced_code: z.string().nullable(),
        reply: z.string(),
      }),
    ),
    events: z.array(
      z.object({ type: z.string(), occurred_at: time, data: z.record(z.string(), z.unknown()) }),
    ),
  })
  .meta({ id: 'Message', description: 'A message, its attempts and its events in order' });

/** GET /transactional/{id} */
export const getMessage = defineRoute(
  {
    operationId: 'getMessage',
    method: 'GET',
    path: '/transactional/{id}',
    access: 'transactional:send',
    group: 'Messages',
    summary: 'Read a message',
    params: z.object({ id: idInput('msg') }),
    response: messageView,
    status: 200,
    quotaHeaders: true,
  },
  async ({ deps, caller, params }) => ({ data: await viewMessage(deps, caller.tenantId, params.id) }),
);

/** Reads a message with its recipients, attempts, events and forecast as REST shows it. Throws not_found. */
export async function viewMessage(
  { db: { pool } }: Pick<ApiDeps, 'db'>,
  tenantId: string,
  id: string,
): Promise<z.input<typeof messageView>> {
  const message = await readMessage(pool, tenantId, id);
  if (!message) throw notFound('message');
  return toMessageView(message, await expectDelivery(pool, tenantId, message));
}

/** A message of a list as REST shows it. */
export function toSummaryView(message: MessageSummary): z.input<typeof messageSummaryView> {
  return {
    id: toId('msg', message.id),
    from: message.from,
    to: message.to,
    subject: message.subject,
    status: message.status,
    reason: message.reason,
    defer_reason: message.deferReason,
    deferred_until: message.deferredUntil?.toISOString() ?? null,
    domain: message.domain,
    campaign_id: idOrNull('cmp', message.campaignId),
    template_id: idOrNull('tpl', message.templateId),
    tags: message.tags,
    created_at: message.createdAt.toISOString(),
  };
}

function toMessageView(message: MessageDetail, expectedAt: Date | null): z.input<typeof messageView> {
  const { headerTo, cc, bcc } = addressesOf(message.to, message.recipients);
  return {
    ...toSummaryView(message),
    expected_at: expectedAt?.toISOString() ?? null,
    header_to: headerTo,
    cc,
    bcc,
    ...(message.recipients.length > 0 && { recipients: message.recipients.map(toRecipient) }),
    attempts: message.attempts.map((attempt) => ({
      at: attempt.at.toISOString(),
      mx: attempt.mx,
      source: attempt.source,
      tls: attempt.tls,
      tls_verified: attempt.tlsVerified,
      tls_policy: attempt.tlsPolicy,
      certificate: toCertificate(attempt.certificate),
      smtp_code: attempt.smtpCode,
      enhanced_code: attempt.enhancedCode,
      reply: attempt.reply,
    })),
    events: message.events.map((event) => ({
      type: event.type,
      occurred_at: event.occurredAt.toISOString(),
      data: event.data,
    })),
  };
}

function toCertificate(certificate: PeerCertificate | null) {
  if (certificate === null) return null;
  const { expiresAt, ...rest } = certificate;
  return { ...rest, expires_at: expiresAt };
}

function toRecipient({ email, id, status, reason, deferredUntil }: GroupRecipient) {
  return {
    email,
    id: toId('msg', id),
    status,
    reason,
    deferred_until: deferredUntil?.toISOString() ?? null,
  };
}

function idOrNull(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : toId(prefix, uuid);
}
