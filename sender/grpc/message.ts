// A stored message as a proto message.

import { toId } from '../../core/base/ids.ts';
import type { Message } from '../../core/gen/sender/v1/sender.ts';
import { addressesOf, type MessageDetail } from '../../core/message/message-store.ts';

/** The whole of it: state, attempts and timeline. The proto has empty texts and zeros where we have null. */
export function toMessage(message: MessageDetail): Message {
  return {
    id: toId('msg', message.id),
    from: message.from,
    to: message.to,
    subject: message.subject,
    status: message.status,
    reason: message.reason ?? '',
    deferReason: message.deferReason ?? '',
    deferredUntil: message.deferredUntil ?? undefined,
    domain: message.domain,
    campaignId: message.campaignId === null ? '' : toId('cmp', message.campaignId),
    templateId: message.templateId === null ? '' : toId('tpl', message.templateId),
    tags: message.tags,
    createdAt: message.createdAt,
    attempts: message.attempts.map((attempt) => ({
      at: attempt.at,
      mx: attempt.mx ?? '',
      smtpCode: attempt.smtpCode ?? 0,
      enhancedCode: attempt.enhancedCode ?? '',
      reply: attempt.reply,
      tls: attempt.tls ?? '',
      tlsVerified: attempt.tlsVerified ?? false,
      tlsPolicy: attempt.tlsPolicy ?? '',
      certificate: attempt.certificate
        ? { ...attempt.certificate, expiresAt: new Date(attempt.certificate.expiresAt) }
        : undefined,
    })),
    ...addressesOf(message.to, message.recipients),
    recipients: message.recipients.map(({ email, id, status, reason, deferredUntil }) => ({
      email,
      id: toId('msg', id),
      status,
      reason: reason ?? '',
      deferredUntil: deferredUntil ?? undefined,
    })),
    events: message.events.map(({ type, occurredAt, data }) => ({ type, occurredAt, data })),
  };
}
