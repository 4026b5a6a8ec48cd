// What a message is made of, before it is bytes.

import type { Header } from '../header.ts';
import type { Mailbox } from '../header-line.ts';

/**
 * A file in the message; `contentType` such as `image/png`, perhaps with parameters, `contentId` without angle brackets makes
 * it inline. With `alternative` it is no file: it stands beside text and html, as another form of them.
 */
export type Attachment = {
  filename: string;
  content: Buffer;
  contentType?: string;
  contentId?: string;
  alternative?: boolean;
};

/**
 * Everything a message says. Addresses have passed parseAddress and headers checkHeaders; texts may hold
 * anything. `messageId` is from makeMessageId, `feedbackId` from feedbackId, `unsubscribeUrl` an https URL
 * (RFC 8058). `to` and `cc` are whom the headers name, perhaps nobody; who gets the message is the envelope's.
 */
export type MessageContent = {
  from: Mailbox;
  to: readonly Mailbox[];
  cc?: readonly Mailbox[];
  replyTo?: readonly Mailbox[];
  subject: string;
  html?: string;
  text?: string;
  headers?: readonly Header[];
  attachments?: readonly Attachment[];
} & OwnFields;

/** What becomes fields of ours in mail of every kind. */
export type OwnFields = {
  /** The value of Received, of mail that came over SMTP. */
  received?: string;
  messageId: string;
  date: Date;
  feedbackId?: string;
  cfblAddress?: string;
  unsubscribeUrl?: string;
};

/**
 * A message as bytes, to be signed and sent. `headers` ends with CRLF and lacks the empty line; `smtputf8`:
 * the header is not ASCII, so the next hop must offer SMTPUTF8 (RFC 6531).
 */
export type ComposedMessage = { headers: string | Buffer; body: Buffer; smtputf8: boolean };
