// Reads the content of a message. The code that composes it for delivery composes it here too, so both give the same bytes.
// Only the signature differs if the keys of the domain have changed; a deleted domain signs nothing. No sender takes part.

import { AppError } from '../base/errors.ts';
import { MAX_GRPC_BYTES } from '../clients/sender-peers.ts';
import type { Database } from '../db/pool.ts';
import type { OutgoingMessage } from '../gen/sender/v1/sender.ts';
import { describeAttachment } from '../mail/compose/attachments.ts';
import { readRaw } from '../mail/raw/read-raw.ts';
import { readWords } from '../mail/raw/read-words.ts';
import type { Composed, SigningIdentity, Words } from './compose-outgoing.ts';
import type { Claim } from './claim.ts';
import type { KeptMessage } from './content-store.ts';
import { gone, readKept } from './kept-message.ts';

/** The parts of a message. The HTML is without the open pixel and with the links that its author wrote. */
export interface MessageParts extends Words {
  /** As on the wire, unfolded. */
  headers: { name: string; value: string }[];
  attachments: { filename: string; contentType: string; sizeBytes: number }[];
}

/** What a message says. */
export interface ReadableContent {
  /** The bytes on the wire. */
  source: Buffer;
  /** Whether opens and clicks are followed. */
  tracked: { opens: boolean; clicks: boolean };
  /** Throws payload_too_large. */
  parts(): MessageParts;
}

/**
 * Reads what a message of a tenant says. Throws not_found; gone once the content is deleted, or when it is confidential;
 * payload_too_large; and unavailable.
 */
export type ReadContent = (tenantId: string, id: string) => Promise<ReadableContent>;

/** What reading needs. */
export interface ReadContentDeps {
  db: Database;
  /** With the keys that sign; null when there is no such domain. */
  findDomain: (tenantId: string, domainId: string) => Promise<SigningIdentity | null>;
  compose: (claim: Claim, domain: SigningIdentity, now: Date) => Promise<Composed>;
}

const FRAMING_BYTES = 512 * 1024; // the header, which is read apart, and what JSON puts around it
const MAX_SHOWN_BYTES = MAX_GRPC_BYTES - FRAMING_BYTES;

/** Makes it. */
export function createReadContent({ db, findDomain, compose }: ReadContentDeps): ReadContent {
  return async (tenantId, id) => {
    const { message: kept, stored } = await readKept(db.pool, tenantId, id);
    const domain = (await findDomain(tenantId, kept.domainId)) ?? unsigned(kept);
    const composed = await compose(kept, domain, kept.lastAttemptAt ?? kept.createdAt);
    if (!composed.ok) throw gone(`The message cannot be composed any more: ${composed.detail}.`);
    const { message: source } = composed.envelope;
    if (source.length > MAX_SHOWN_BYTES) throw tooLarge();
    return {
      source,
      tracked: trackedOf(composed.words, stored),
      parts: () => ({ headers: headersOf(source), ...partsOf(composed.words, stored) }),
    };
  };
}

// Of ready-made mail only what was asked for, of other mail its HTML unless that was refused.
function trackedOf(
  words: Words | null,
  { trackOpens, trackClicks }: OutgoingMessage,
): ReadableContent['tracked'] {
  const byDefault = words !== null && words.html !== '';
  return { opens: trackOpens ?? byDefault, clicks: trackClicks ?? byDefault };
}

function partsOf(words: Words | null, stored: OutgoingMessage): Omit<MessageParts, 'headers'> {
  if (words === null) return rawParts(stored.raw);
  return {
    ...words,
    attachments: stored.attachments.map((one) => ({
      ...describeAttachment(one.filename, one.contentType),
      sizeBytes: one.content.length,
    })),
  };
}

function rawParts(raw: Buffer): Omit<MessageParts, 'headers'> {
  const read = readRaw(raw);
  if (!read.ok) throw new RangeError(`stored mail cannot be read: ${read.problem}`);
  const { subject, section } = read.mail;
  const words = readWords(raw, section);
  if (Buffer.byteLength(words.html) + Buffer.byteLength(words.text) > MAX_SHOWN_BYTES) throw tooLarge();
  return { subject, ...words };
}

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
