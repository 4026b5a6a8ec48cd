// The header fields that a customer may not set, each with the reason. Everything else that passes the syntax
// check is theirs (In-Reply-To, References, Auto-Submitted, Precedence, Importance, X-Anything).

/** One reserved field, or a family of them when `name` ends in `-`. Names are lower case. */
export type ReservedHeader = { name: string; why: string };

const AUTHOR = 'set from its own field of the request';
const OURS = 'written by us on every message';
const TRACE = 'written by the servers that carry the message';
const MIME = 'follows from the html, text and attachments';
const CLAIM = 'a verdict that only a receiver may write';
const RELAY = 'an instruction to a relay that may carry the message under our account';

/** The table; a name is reserved when a row equals it, or when a row ending in `-` starts it. */
export const RESERVED_HEADERS: readonly ReservedHeader[] = [
  { name: 'from', why: AUTHOR },
  { name: 'to', why: AUTHOR },
  { name: 'cc', why: AUTHOR },
  { name: 'bcc', why: AUTHOR },
  { name: 'subject', why: AUTHOR },
  { name: 'reply-to', why: AUTHOR },
  { name: 'sender', why: 'must not name anybody but the author' },
  { name: 'date', why: OURS },
  { name: 'message-id', why: OURS },
  { name: 'dkim-signature', why: OURS },
  { name: 'domainkey-signature', why: OURS },
  { name: 'feedback-id', why: OURS },
  { name: 'cfbl-', why: OURS },
  { name: 'x-postrider-', why: OURS },
  { name: 'mime-version', why: MIME },
  { name: 'content-', why: MIME },
  { name: 'return-path', why: TRACE },
  { name: 'received', why: TRACE },
  { name: 'resent-', why: TRACE },
  { name: 'delivered-to', why: TRACE },
  { name: 'x-original-to', why: TRACE },
  { name: 'envelope-', why: TRACE },
  { name: 'x-envelope-', why: TRACE },
  { name: 'apparently-to', why: 'read as a recipient by old servers' },
  { name: 'errors-to', why: 'bounces go to our return path' },
  { name: 'x-errors-to', why: 'bounces go to our return path' },
  { name: 'authentication-results', why: CLAIM },
  { name: 'received-spf', why: CLAIM },
  { name: 'arc-', why: CLAIM },
  { name: 'x-spam-', why: CLAIM },
  { name: 'x-ses-', why: RELAY },
  { name: 'x-smtpapi', why: RELAY },
  { name: 'x-mailgun-', why: RELAY },
  { name: 'x-mc-', why: RELAY },
  { name: 'x-pm-', why: RELAY },
  { name: 'x-msys-api', why: RELAY },
  { name: 'x-mailjet-', why: RELAY },
  { name: 'x-mj-', why: RELAY },
];

const EXACT = new Map(
  RESERVED_HEADERS.filter((row) => !row.name.endsWith('-')).map((row) => [row.name, row.why]),
);
const FAMILIES = RESERVED_HEADERS.filter((row) => row.name.endsWith('-'));

/** Why a customer may not set this header, in any letter case; null when they may. */
export function whyReserved(name: string): string | null {
  const lower = name.toLowerCase();
  return EXACT.get(lower) ?? FAMILIES.find((row) => lower.startsWith(row.name))?.why ?? null;
}

/**
 * Whether a field of ready-made mail stays with us: it would show a Bcc, is written by the last server, is for us, or would
 * have a relay do something under our account.
 */
export function mustNotLeave(name: string): boolean {
  const lower = name.toLowerCase();
  const isOurs = lower.startsWith('x-postrider-');
  return isOurs || ['bcc', 'resent-bcc', 'return-path'].includes(lower) || whyReserved(lower) === RELAY;
}
