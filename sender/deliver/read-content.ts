// What a message says, composed by what composes it for delivery: what is shown cannot differ from what is sent, but for
// the signature when the domain has other keys by now, or none because it was deleted.

import type pg from 'pg';

import { AppError } from '../../core/base/errors.ts';
import { MAX_GRPC_BYTES } from '../../core/clients/sender-peers.ts';
import type { Content, OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { describeAttachment } from '../../core/mail/compose/attachments.ts';
import { textFromHtml } from '../../core/mail/compose/text-from-html.ts';
import { readRaw } from '../../core/mail/raw/read-raw.ts';
import { readWords } from '../../core/mail/raw/read-words.ts';
import type { KeptMessage } from '../../core/message/content-store.ts';
import { gone, readKept } from '../../core/message/kept-message.ts';
import type { SigningIdentity, Words } from './compose-outgoing.ts';
import type { DeliverDeps } from './deliver-message.ts';

/** What reading needs. */
export interface ReadContentDeps {
  pool: pg.Pool;
  domains: DeliverDeps['domains'];
  compose: DeliverDeps['compose'];
}

const FRAMING_BYTES = 512 * 1024; // the header, which is read apart, and what gRPC puts around it

/** The parts of a message, or its source. Throws not_found, and gone once the content is deleted or when it is confidential. */
export type ReadContent = (tenantId: string, id: string, source: boolean) => Promise<Content>;

/** Makes it. */
export function createReadContent({ pool, domains, compose }: ReadContentDeps): ReadContent {
  return async (tenantId, id, source) => {
    const { message: kept, stored } = await readKept(pool, tenantId, id);
    const domain = (await domains.get(tenantId, kept.domainId)) ?? unsigned(kept);
    const composed = await compose(kept, domain, kept.lastAttemptAt ?? kept.createdAt);
    if (!composed.ok) throw gone(`The message cannot be composed any more: ${composed.detail}.`);
    const { message } = composed.envelope;
    if (message.length > MAX_GRPC_BYTES - FRAMING_BYTES) throw tooLarge();
    return source
      ? { ...NOTHING, source: message }
      : { ...NOTHING, headers: headersOf(message), ...partsOf(composed.words, stored) };
  };
}

function partsOf(words: Words | null, stored: OutgoingMessage): Partial<Content> {
  if (words === null) return rawParts(stored.raw);
  const { subject, html, text } = words;
  return {
    subject,
    html,
    text: (text || (html === '' ? '' : textFromHtml(html))) ?? '',
    attachments: stored.attachments.map((one) => ({
      ...describeAttachment(one.filename, one.contentType),
      sizeBytes: one.content.length,
    })),
  };
}

function rawParts(raw: Buffer): Partial<Content> {
  const read = readRaw(raw);
  if (!read.ok) throw new RangeError(`stored mail cannot be read: ${read.problem}`);
  const { subject, section } = read.mail;
  const words = readWords(raw, section);
  if (Buffer.byteLength(words.html) + Buffer.byteLength(words.text) > MAX_GRPC_BYTES - FRAMING_BYTES)
    throw tooLarge();
  return { subject, ...words };
}

const NOTHING: Content = {
  subject: '',
  html: '',
  text: '',
  headers: [],
  attachments: [],
  source: Buffer.alloc(0),
};

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The message is larger than what can be shown.');
}

function unsigned({ headerFrom }: KeptMessage): SigningIdentity {
  const name = /@([^@>]+)>?$/.exec(headerFrom)?.[1]?.toLowerCase() ?? '';
  return { name, returnPathDomain: name, cfblAddress: null, trackingDomain: null, dkimKeys: [] };
}

// Fields without their folding (RFC 5322 section 2.2.3); ours all end in CRLF.
function headersOf(message: Buffer): { name: string; value: string }[] {
  const end = message.indexOf('\r\n\r\n');
  const fields = message.toString('utf8', 0, end).split(/\r\n(?![ \t])/);
  return fields.map((field) => {
    const colon = field.indexOf(':');
    return {
      name: field.slice(0, colon),
      value: field
        .slice(colon + 1)
        .replace(/\r\n/g, '')
        .trim(),
    };
  });
}
