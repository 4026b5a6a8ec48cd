// Ready-made mail on its way out (RFC 5322): the author's header and body, byte for byte, but for fields that must not
// leave, and with ours on top.

import { isAscii } from 'node:buffer';

import { ownHeaders } from '../compose/headers.ts';
import type { ComposedMessage, OwnFields } from '../compose/message-content.ts';
import { mustNotLeave } from '../header-fields.ts';
import { repairedFrom } from './author.ts';
import { fieldValue, type HeaderSection } from './header-section.ts';

// The author's own comes before ours.
const IF_MISSING = {
  'message-id': 'messageId',
  date: 'date',
  'cfbl-address': 'cfblAddress',
} as const;

/**
 * The message to sign. Fields that stay keep their order and bytes, signatures of the author's among them, and so does
 * the body; a From in an illegal form is written anew. Of our fields those are added that the author has not written, and MIME-Version to Content-Type; `unsubscribeUrl` only comes where they have no
 * List-Unsubscribe.
 */
export function composeRaw(raw: Buffer, section: HeaderSection, own: OwnFields): ComposedMessage {
  const added: Partial<OwnFields> = { ...own };
  const slices: Buffer[] = [];
  for (const field of section.fields) {
    const { lower, start, end } = field;
    const replaces = IF_MISSING[lower as keyof typeof IF_MISSING];
    if (replaces !== undefined) delete added[replaces];
    const from = lower === 'from' ? repairedFrom(fieldValue(raw, field)) : null;
    if (from !== null) slices.push(Buffer.from(from));
    else if (!mustNotLeave(lower)) slices.push(raw.subarray(start, end));
  }
  // RFC 2045 section 4: without it Content-Type means nothing, and some servers show the parts as one text.
  const has = (name: string) => section.fields.some(({ lower }) => lower === name);
  const mime = has('content-type') && !has('mime-version') ? 'MIME-Version: 1.0\r\n' : '';
  const last = slices.at(-1);
  if (last && !last.subarray(-2).equals(CRLF)) slices.push(CRLF);
  const headers = Buffer.concat([Buffer.from(ownHeaders(added) + mime), ...slices]);
  return { headers, body: raw.subarray(section.bodyStart), smtputf8: !isAscii(headers) };
}

const CRLF = Buffer.from('\r\n');
