// The rows that a newly accepted message starts with.

import { newUuid } from '../../core/base/ids.ts';
import type { MessageRow } from '../../core/message/accept-store.ts';
import type { NewEvent } from '../../core/message/event-store.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { StoredContent } from '../../core/message/stored-content.ts';
import type { Candidate } from './facts.ts';

/** Contents as they are to be stored, by the ones that were submitted. */
export type Stored = ReadonlyMap<Buffer, StoredContent>;

/** The message row, queued and neither admitted nor claimed. */
export function newMessageRow(
  { tenantId, message, recipient, domain, template }: Candidate,
  stored: Stored,
): MessageRow {
  const inGroup = message.recipients.length > 1;
  return {
    id: recipient.id,
    tenantId,
    groupId: inGroup ? message.id : null,
    addressField: inGroup ? recipient.field : null,
    domainId: domain!.id,
    stream: message.stream,
    origin: message.origin,
    state: 'queued',
    reason: null,
    deferReason: null,
    deferredUntil: null,
    nextAttemptAt: null,
    admittedDay: null,
    esp: message.esp,
    headerFrom: message.headerFrom,
    rcptTo: recipient.rcptTo,
    subject: message.subject || (template?.subject ?? ''),
    templateId: message.templateId,
    templateVersion: template?.version ?? null,
    campaignId: message.campaignId,
    contactId: message.contactId,
    tags: message.tags,
    claimVersion: 0,
    claimedBy: null,
    expiresAt: null,
    finishedAt: null,
    dayTier: null,
    dayCap: null,
    dayUsed: null,
    dayReserved: null,
    decisions: null,
    content: recipient.id === message.id ? stored.get(message.content)! : null,
    confidential: message.confidential,
  };
}

/** The event that is stored together with the message. */
export function newEvent(
  { tenantId, message, recipient, domain }: Candidate,
  type: NewEvent['type'],
  data: Record<string, unknown>,
): NewEvent {
  return {
    id: newUuid(),
    tenantId,
    type,
    messageId: recipient.id,
    domainId: domain!.id,
    campaignId: message.campaignId,
    recipient: recipient.rcptTo,
    data,
  };
}

/** The claim of a message that is stored as claimed by this process. */
export function newClaim(row: MessageRow, content: Buffer, createdAt: Date): Claim {
  return {
    id: row.id,
    groupId: row.groupId,
    tenantId: row.tenantId,
    domainId: row.domainId,
    stream: row.stream,
    origin: row.origin,
    claimVersion: row.claimVersion,
    admittedDay: row.admittedDay!,
    attempts: 0,
    rcptTo: row.rcptTo,
    headerFrom: row.headerFrom,
    esp: row.esp,
    campaignId: row.campaignId,
    templateVersion: row.templateVersion,
    createdAt,
    expiresAt: row.expiresAt!,
    content,
    octets: content.length,
  };
}
