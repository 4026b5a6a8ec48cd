// The replies to a message (RFC 5321 section 4.2, enhanced codes of RFC 3463): one table from our error codes to SMTP's.

import type { ErrorCode, FieldProblem } from '../../core/base/errors.ts';
import { toId } from '../../core/base/ids.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import type { Accepted, Decision, Refused } from '../../core/message/submission.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';
import { fieldOfOption } from './control-fields.ts';

/** Octets of a reply line with its code and CRLF (RFC 5321 section 4.5.3.1.5). */
const MAX_REPLY_OCTETS = 512;
const MAX_TEXT_OCTETS = MAX_REPLY_OCTETS - '250 '.length - '\r\n'.length;

/** The text behind 250: the ids of the messages in the order of RCPT, as far as a line holds them, and what waits. */
export function acceptedText(accepted: Accepted, rcptTo: readonly string[]): string {
  const all = inOrder(accepted, rcptTo);
  const start = '2.0.0 Ok: queued as ';
  const state = statesOf(all);
  let ids = '';
  for (const { id } of all) {
    const next = ids === '' ? toId('msg', id) : `${ids},${toId('msg', id)}`;
    if (start.length + next.length + state.length > MAX_TEXT_OCTETS) break;
    ids = next;
  }
  return start + ids + state;
}

// Those of To come first in the answer, whatever the order of RCPT was. An address that was named twice has one message.
function inOrder({ recipients, ...only }: Accepted, rcptTo: readonly string[]): Decision[] {
  if (!recipients) return [only];
  const byAddress = new Map(recipients.map((one) => [normalizeEmail(one.email), one]));
  return [...new Set(rcptTo.flatMap((address) => byAddress.get(normalizeEmail(address)) ?? []))];
}

// Nothing when all are queued; the state when it is that of all; how many of each otherwise.
function statesOf(all: Decision[]): string {
  const groups = [...Map.groupBy(all, stateOf)];
  if (groups.length === 1) {
    const [state] = groups[0]!;
    return state === 'queued' ? '' : ` ${state}`;
  }
  const parts = groups.map(([state, { length }]) => `${length} ${state}`);
  return ` (${parts.join(', ')})`;
}

function stateOf({ status, reason, deferredUntil }: Decision): string {
  switch (status) {
    case 'queued':
      return 'queued';
    case 'deferred':
      return `deferred until ${deferredUntil} (${reason})`;
    case 'dropped':
      return `dropped (${reason})`;
    default:
      return status satisfies never;
  }
}

/** The reply to a message that was refused as a send. */
export function toRefusal(refused: Refused): Refusal {
  if (refused.details) return badMessage(refused.details);
  const [code, enhanced] = REPLIES[refused.code];
  return new Refusal(code, line(`${enhanced} ${refused.message}`));
}

/** The reply to a message that cannot be sent as it is. */
export function badMessage(details: FieldProblem[]): Refusal {
  return new Refusal(550, line(`5.6.0 ${details.map(problemText).join('; ')}`));
}

/** What a failed command answers, as a figure counts it: `550 5.7.1`. */
export function replyOf(error: unknown): string {
  if (!(error instanceof Refusal)) return '451 4.3.0';
  return `${error.responseCode} ${error.message.split(' ', 1)[0]}`;
}

const BAD_MESSAGE = [550, '5.6.0'] as const;
const NOT_ALLOWED = [550, '5.7.1'] as const;
const OUR_TROUBLE = [451, '4.3.0'] as const;

// A 4xx is for what may be right when the client comes again with the same message.
const REPLIES: Readonly<Record<ErrorCode, readonly [code: number, enhanced: string]>> = {
  rate_limited: [451, '4.7.1'],
  quota_exceeded: [452, '4.2.2'],
  domain_not_verified: NOT_ALLOWED,
  domain_paused: [451, '4.7.1'],
  second_factor_required: NOT_ALLOWED,
  second_factor_missing: NOT_ALLOWED,
  confirmation_required: NOT_ALLOWED,
  invalid_scope: NOT_ALLOWED,
  forbidden: NOT_ALLOWED,
  tenant_suspended: NOT_ALLOWED,
  unauthorized: [530, '5.7.0'],
  validation_failed: BAD_MESSAGE,
  invalid_json: BAD_MESSAGE,
  idempotency_conflict: BAD_MESSAGE,
  idempotency_in_progress: [451, '4.5.0'],
  payload_too_large: [552, '5.3.4'],
  unavailable: OUR_TROUBLE,
  internal_error: OUR_TROUBLE,
  not_found: NOT_ALLOWED,
  conflict: BAD_MESSAGE,
  gone: BAD_MESSAGE,
  method_not_allowed: BAD_MESSAGE,
  unsupported_media_type: BAD_MESSAGE,
};

function problemText({ path, message }: FieldProblem): string {
  const [name = ''] = path.split(/[.[]/, 1);
  if (name === 'raw') return `The message ${message}`;
  if (name === 'to' || name === 'cc' || name === 'bcc') return `A recipient ${message}`;
  return `${fieldOfOption(name) ?? name} ${message}`;
}

// ASCII: only a client that announced SMTPUTF8 reads more (RFC 6531 section 3.5).
function line(text: string): string {
  const ascii = text.replace(/[^\x20-\x7e]/g, '?');
  return ascii.length <= MAX_TEXT_OCTETS ? ascii : `${ascii.slice(0, MAX_TEXT_OCTETS - 3)}...`;
}
