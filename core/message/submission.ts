// What it means to submit mail: the request, and every answer that a caller can get.

import { AppError, type ErrorCode, type FieldProblem } from '../base/errors.ts';
import type { Stream } from '../base/stream.ts';
import type { TraceContext } from '../base/trace.ts';
import type { TemplateVariable } from '../db/schema/template.ts';
import type { AddressField } from './mailbox-input.ts';
import type { Origin } from './origin.ts';

/** The key under which a caller may repeat a request, with the hash of what was asked. */
export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request, 32 bytes. */
  bodyHash: Buffer;
}

/** One recipient of a message to accept: the unit of decision, admission and state. */
export interface NewRecipient {
  /** UUIDv7 of the message to this recipient. */
  id: string;
  field: AddressField;
  /** The address as it goes on the wire. */
  rcptTo: string;
  /** Its normalized form (core/mail/address.ts), under which suppressions are kept. */
  recipientKey: string;
}

/** A field Sender that names another domain than From. */
interface ForeignSender {
  /** Empty if the field is not one address. */
  domain: string;
  /** In ready-made mail, where the field is removed unless the domain is verified. */
  isRaw: boolean;
}

/** The current version of a template and what it needs. */
export interface TemplateFacts {
  id: string;
  version: number;
  subject: string;
  variables: TemplateVariable[];
}

/** One message to accept, validated and ready to store. */
export interface NewMessage {
  /** UUIDv7 chosen by the caller: submitting the same id again gives the first answer. */
  id: string;
  /** At least one; the id of the first is that of the message. */
  recipients: NewRecipient[];
  /** Lower-case ASCII domain of the header From. */
  domain: string;
  headerFrom: string;
  /** Sender, where its domain is not that of From; null without one, and once that domain is known to be verified. */
  sender: ForeignSender | null;
  subject: string;
  stream: Stream;
  /** Whether suppressions of marketing mail stop it (offersUnsubscribe). */
  offersUnsubscribe: boolean;
  origin: Origin;
  templateId: string | null;
  /** The current version of the template, with the subject of this message; read with the batch when it is left out. */
  template?: TemplateFacts;
  /** Variables of the template, to check that the required ones are there; the link to unsubscribe is one of them. */
  variables: Record<string, unknown>;
  scheduledAt: Date | null;
  /** Name of the route that the caller insists on. */
  esp: string | null;
  tags: { name: string; value: string }[];
  campaignId: string | null;
  contactId: string | null;
  /** sender.v1.OutgoingMessage, encoded. */
  content: Buffer;
  /** Its content is shown to nobody, and deleted when the message has ended. */
  confidential: boolean;
  /** The span that made it, if that is sampled; it is in `content` too. */
  trace?: TraceContext | undefined;
}

/** One call: messages of one tenant that are answered together. */
export interface Submission {
  tenantId: string;
  idempotency: IdempotencyKey | null;
  messages: NewMessage[];
  /** Where one message is refused, all are. */
  allOrNone?: boolean;
}

/** Today's cap of the sending domain, right after the decision. */
export interface WarmupUse {
  tier: number;
  cap: number;
  used: number;
}

/** The tenant's month, right after the decision. */
export interface QuotaUse {
  used: number;
  cap: number;
}

/** What was decided for one recipient. */
export interface Decision {
  /** UUID of the message. */
  id: string;
  status: 'queued' | 'deferred' | 'dropped';
  reason: 'warmup_cap' | 'suppressed' | 'scheduled' | 'esp_cap' | 'brake' | 'sender_rules' | null;
  /** RFC 3339; null unless deferred. */
  deferredUntil: string | null;
}

/** A message that was accepted: stored, or dropped because its recipient is suppressed. Of several, the first. */
export interface Accepted extends Decision {
  ok: true;
  domain: string;
  warmup: WarmupUse;
  /** With several recipients: what was decided for each, in order. */
  recipients?: (Decision & { email: string })[];
}

/** A message that was refused, and what to do about it. */
export interface Refused {
  ok: false;
  code: ErrorCode;
  message: string;
  details?: FieldProblem[];
  retryAfterSeconds?: number;
}

/** The answer for one message. */
export type MessageAnswer = Accepted | Refused;

/** The answer to one call: an answer for each message, in order, or one refusal of the whole. */
export type SubmissionAnswer =
  | { ok: true; items: MessageAnswer[]; quota: QuotaUse; replayed: boolean }
  | (Refused & { quota?: QuotaUse });

/** A refusal as an error, for surfaces that throw theirs. */
export function toRefusal(refused: Refused): AppError {
  return new AppError(refused.code, refused.message, {
    ...(refused.details && { details: refused.details }),
    ...(refused.retryAfterSeconds !== undefined && { retryAfterSeconds: refused.retryAfterSeconds }),
  });
}
