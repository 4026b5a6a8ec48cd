// Composes a message: one function for every shape.
// Guarantee: CRLF line ends only, no NUL, no line over 998 octets, no field but those of the content, nothing
// read from disk or network; and the same content gives the same bytes, so a repeated attempt is the same
// message.

import { composeWithAttachments } from './attachments.ts';
import { topHeaders } from './headers.ts';
import { boundaryOf, composeSkeleton } from './skeleton.ts';
import type { Mailbox } from '../header-line.ts';
import type { ComposedMessage, MessageContent } from './message-content.ts';
import { isAscii } from '../unsafe-text.ts';

/**
 * The message as bytes. Empty html or text counts as absent.
 * Throws RangeError when an address, id or custom header was not checked before: that is a bug, not bad mail.
 */
export async function composeMessage(content: MessageContent): Promise<ComposedMessage> {
  const top = topHeaders(content);
  const html = content.html === '' ? undefined : content.html;
  const text = content.text || undefined;
  const boundary = boundaryOf(content.messageId);
  const attachments = content.attachments ?? [];
  const tree =
    attachments.length === 0
      ? composeSkeleton(text, html, boundary)
      : await composeWithAttachments(text, html, attachments, boundary);
  return { headers: top + tree.fields, body: tree.body, smtputf8: needsSmtputf8(content) };
}

/** The whole message for the wire: the signatures, the headers, the empty line and the body. */
export function joinMessage(signatures: string, { headers, body }: ComposedMessage): Buffer {
  return Buffer.concat([Buffer.from(signatures), Buffer.from(headers), Buffer.from('\r\n'), body]);
}

function needsSmtputf8({ from, to, cc = [], replyTo = [] }: MessageContent): boolean {
  const mailboxes: Mailbox[] = [from, ...to, ...cc, ...replyTo];
  return mailboxes.some((mailbox) => !isAscii(mailbox.address));
}
