// The header fields at the top of every message, written by us on every path.

import { parseMailbox } from '../address.ts';
import { isProtocolField, isSenderField } from '../header.ts';
import { whyReserved } from '../header-fields.ts';
import { headerLine, mailboxLine, protocolLine, rawLine } from '../header-line.ts';
import { isUnsubscribeField, unsubscribeHeaders, unsubscribeLine } from './list-headers.ts';
import type { MessageContent, OwnFields } from './message-content.ts';

/**
 * All fields but Content-*, each ending in CRLF. Text is cleaned and encoded; a custom header that
 * checkHeaders would refuse is a bug of the caller and throws, so that it can never stand beside one of ours.
 */
export function topHeaders(content: MessageContent): string {
  const { from, to, cc = [], replyTo = [] } = content;
  let out = mailboxLine('From', from);
  if (to.length > 0) out += mailboxLine('To', ...to);
  else if (cc.length === 0) out += rawLine('To', NOBODY_SHOWN);
  if (cc.length > 0) out += mailboxLine('Cc', ...cc);
  if (replyTo.length > 0) out += mailboxLine('Reply-To', ...replyTo);
  out += headerLine('Subject', content.subject);
  out += ownHeaders(content);
  for (const { name, value } of content.headers ?? []) out += customLine(name, value);
  return `${out}MIME-Version: 1.0\r\n`;
}

// A group without members (RFC 5322 section 3.4): filters count mail without any recipient field as spam.
const NOBODY_SHOWN = 'undisclosed-recipients:;';

/** The fields that we add to mail of every kind, as far as they are given. */
export function ownHeaders(content: Partial<OwnFields>): string {
  let out = '';
  if (content.received !== undefined) out += rawLine('Received', content.received);
  if (content.messageId !== undefined) out += rawLine('Message-ID', content.messageId);
  if (content.date !== undefined) out += rawLine('Date', mailDate(content.date));
  if (content.feedbackId !== undefined) out += rawLine('Feedback-ID', content.feedbackId);
  // RFC 9477 section 3.1: the address is at a child domain of the author's, so that domain's signature covers it.
  if (content.cfblAddress !== undefined) out += rawLine('CFBL-Address', `${content.cfblAddress}; report=arf`);
  if (content.unsubscribeUrl !== undefined) {
    for (const { name, value } of unsubscribeHeaders(content.unsubscribeUrl)) out += rawLine(name, value);
  }
  return out;
}

/** A time as header fields write it (RFC 5322 section 3.3). */
export function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

function customLine(name: string, value: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,75}$/.test(name) || whyReserved(name) !== null) {
    throw new RangeError(`custom header ${JSON.stringify(name)} was not checked`);
  }
  if (isSenderField(name)) return senderLine(name, value);
  if (isUnsubscribeField(name)) return unsubscribeLine({ name, value });
  return isProtocolField(name) ? protocolLine(name, value) : headerLine(name, value);
}

function senderLine(name: string, value: string): string {
  const parsed = parseMailbox(value);
  if (!parsed.ok) throw new RangeError(`${name} was not checked`);
  const { email, display } = parsed.address;
  return mailboxLine(name, { address: email, ...(display !== undefined && { name: display }) });
}
