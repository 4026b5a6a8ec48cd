// The header fields that Postrider treats specially, in one table for every way in: fields given beside a message (JSON,
// gRPC, other services' clients) and fields of ready-made mail (`raw`, SMTP submission). All other fields belong to the
// customer (In-Reply-To, References, Auto-Submitted, Precedence, Importance, X-Anything).

/**
 * What happens to a field. `verified_domain`: it stays if its address is at a verified domain of the tenant; otherwise it is
 * refused in JSON and removed from ready-made mail.
 */
interface HeaderField {
  /** In lower case; a name that ends in `-` stands for all fields that begin so. */
  name: string;
  json: 'refused' | 'verified_domain';
  raw: 'kept' | 'removed' | 'verified_domain';
  why: string;
}

const AUTHOR = 'set from its own field of the request';
const OURS = 'written by us on every message';
const MIME = 'follows from the html, text and attachments';
const TRACE = 'written by the servers that carry the message';
const DELIVERY = 'written by the server that delivers the message';
const RESENT = 'names the forwarder of a received message, which is not verified';
const CLAIM = 'a verdict that only a receiver may write';
const BOUNCES = 'bounces go to our return path';
const RELAY = 'an instruction to a relay that may carry the message under our account';

/** The table. A row applies to a field of its name, or to all fields that begin with a name ending in `-`. */
export const HEADER_FIELDS: readonly HeaderField[] = [
  ...rows('kept', AUTHOR, 'from', 'to', 'cc', 'subject', 'reply-to'),
  ...rows('removed', AUTHOR, 'bcc'),
  {
    name: 'sender',
    json: 'verified_domain',
    raw: 'verified_domain',
    why: 'must have one address at a verified domain of yours',
  },
  ...rows('kept', OURS, 'date', 'message-id', 'dkim-signature', 'domainkey-signature', 'cfbl-'),
  ...rows('removed', OURS, 'feedback-id', 'x-postrider-'),
  ...rows('kept', MIME, 'mime-version', 'content-'),
  ...rows('kept', TRACE, 'received'),
  ...rows('removed', RESENT, 'resent-'),
  ...rows('removed', DELIVERY, 'return-path', 'delivered-to', 'x-original-to', 'envelope-', 'x-envelope-'),
  ...rows('removed', 'read as a recipient by old servers', 'apparently-to'),
  ...rows('removed', BOUNCES, 'errors-to', 'x-errors-to'),
  ...rows('removed', CLAIM, 'authentication-results', 'received-spf', 'arc-', 'x-spam-'),
  ...rows('removed', RELAY, 'x-ses-', 'x-smtpapi', 'x-mailgun-', 'x-mc-', 'x-pm-', 'x-msys-api'),
  ...rows('removed', RELAY, 'x-mailjet-', 'x-mj-'),
];

/** Received fields beyond which a message is in a loop (RFC 5321 section 6.3); real mail has under 30. */
export const MAX_HOPS = 50;

const EXACT = new Map(HEADER_FIELDS.filter((row) => !row.name.endsWith('-')).map((row) => [row.name, row]));
const FAMILIES = HEADER_FIELDS.filter((row) => row.name.endsWith('-'));

/** Why a customer may not set this header beside a message, in any letter case; null if they may. */
export function whyReserved(name: string): string | null {
  const row = rowOf(name);
  return row?.json === 'refused' ? row.why : null;
}

/** Whether a field of ready-made mail is removed, whatever its value. */
export function mustNotLeave(name: string): boolean {
  return rowOf(name)?.raw === 'removed';
}

function rowOf(name: string): HeaderField | undefined {
  const lower = name.toLowerCase();
  return EXACT.get(lower) ?? FAMILIES.find((row) => lower.startsWith(row.name));
}

function rows(raw: HeaderField['raw'], why: string, ...names: string[]): HeaderField[] {
  return names.map((name) => ({ name, json: 'refused', raw, why }));
}
