// Ready-made mail with an envelope of its own, as it comes over SMTP, as an input of the one way to submit.

import {
  fieldsNamed,
  fieldValue,
  readHeaderSection,
  type HeaderSection,
} from '../mail/raw/header-section.ts';
import { normalizeEmail } from '../mail/address.ts';
import type { AddressField } from './mailbox-input.ts';
import { parseEnvelopeInput, type ParsedSend } from './send-input.ts';

/** What else may be asked, under the names of REST and unchecked: what is wrong with it is answered. */
export interface RawOptions {
  tags?: unknown;
  track_opens?: unknown;
  track_clicks?: unknown;
  unsubscribe?: unknown;
  /** A time in RFC 3339. */
  scheduled_at?: unknown;
  esp?: unknown;
}

/**
 * The input for a message as it came after DATA, to 1 to 100 recipients of the envelope; or what is wrong, under `raw`,
 * `to`, `cc`, `bcc` or the name of an option. Recipients whom the header names in To or Cc count as such, all others as Bcc.
 */
export function parseRawInput(
  raw: Buffer,
  rcptTo: readonly string[],
  options: RawOptions,
  now: Date,
): ParsedSend {
  // Only the header, and what is wrong with it is for the next check to say: that reads all of the message.
  const read = readHeaderSection(raw);
  const section = read.ok ? read.section : { fields: [], bodyStart: 0 };
  const named = { to: namedIn(raw, section, 'to'), cc: namedIn(raw, section, 'cc') };
  const fieldOf = (address: string): AddressField => {
    const key = normalizeEmail(address);
    if (named.to.has(key)) return 'to';
    return named.cc.has(key) ? 'cc' : 'bcc';
  };
  const recipients = { to: [] as string[], cc: [] as string[], bcc: [] as string[] };
  for (const address of rcptTo) recipients[fieldOf(address)].push(address);
  return parseEnvelopeInput({ ...options, ...recipients, raw }, now);
}

// Words of the field with an @ in them: more than the addresses, and never less.
function namedIn(raw: Buffer, section: HeaderSection, lower: string): Set<string> {
  const words = fieldsNamed(section, lower).flatMap((field) => fieldValue(raw, field).split(/[\s<>,;:"()]+/));
  return new Set(words.filter((word) => word.includes('@')).map((word) => normalizeEmail(word)));
}
