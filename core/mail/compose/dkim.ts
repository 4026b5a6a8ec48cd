// DKIM signatures (RFC 6376; Ed25519 by RFC 8463), relaxed/relaxed, one per key.
// Guarantee: every header a reader sees is signed, and the ones that must be single cannot be added to
// afterwards.

import { createHash, sign, type KeyObject } from 'node:crypto';
import { relaxedBody, relaxedHeader, splitHeaders, type RawHeader } from './dkim-canonical.ts';

/**
 * A private key of a sending domain, published at `<selector>._domainkey.<domain>`. RSA has 2048 bits or
 * more.
 */
export type DkimKey = {
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  privateKey: KeyObject;
};

/**
 * A message to sign: header fields with CRLF line ends, without the empty line; the body as it goes over the
 * wire.
 */
export type SignableMessage = { headers: string | Buffer; body: Buffer };

// Signed once more than they occur, so that adding another of them breaks the signature (section 8.15).
const OVERSIGNED = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'reply-to',
  'message-id',
  'mime-version',
  'content-type',
];
// The same where they are there: of two links a mailbox provider may follow the one that was put on top. A mailing list may
// add its own where there is none.
const OVERSIGNED_IF_THERE = ['list-unsubscribe', 'list-unsubscribe-post'];
// Signed when they are there.
const SIGNED = [
  'sender',
  'in-reply-to',
  'references',
  'content-transfer-encoding',
  'feedback-id',
  'cfbl-address',
  'auto-submitted',
  'list-id',
];
// Characters of a line of the h= and b= lists.
const CHUNK = 66;

/**
 * Signs one message with every key. Gives the DKIM-Signature fields, CRLF included, to stand before its
 * headers. `timestamp` is in whole seconds since 1970. The body is hashed once for all keys; signing runs on
 * the thread pool.
 */
export async function signMessage(
  raw: SignableMessage,
  keys: readonly DkimKey[],
  { timestamp }: { timestamp: number },
): Promise<string> {
  const block = typeof raw.headers === 'string' ? Buffer.from(raw.headers, 'utf8') : raw.headers;
  const { names, canonical } = selectHeaders(splitHeaders(block.toString('latin1')));
  const bodyHash = createHash('sha256').update(relaxedBody(raw.body)).digest('base64');
  const signed = keys.map(async (key) => {
    const field = signatureField(key, timestamp, names, bodyHash);
    const value = field.slice('DKIM-Signature:'.length);
    const data = Buffer.from(`${canonical}${relaxedHeader('dkim-signature', value)}`, 'latin1');
    const signature = await signData(key, data);
    return `${field}${chunks(signature).join('\r\n ')}\r\n`;
  });
  return (await Promise.all(signed)).join('');
}

// Fields of the same name are taken from the last to the first (section 5.4.2); a name beyond them signs
// "none there".
function selectHeaders(fields: readonly RawHeader[]): { names: string[]; canonical: string } {
  const names: string[] = [];
  let canonical = '';
  for (const name of [...OVERSIGNED, ...OVERSIGNED_IF_THERE, ...SIGNED]) {
    const found = fields.filter((field) => field.lower === name).toReversed();
    for (const field of found) canonical += `${relaxedHeader(name, field.value)}\r\n`;
    const oversigned = OVERSIGNED.includes(name) || (found.length > 0 && OVERSIGNED_IF_THERE.includes(name));
    const times = found.length + (oversigned ? 1 : 0);
    for (let n = 0; n < times; n += 1) names.push(name);
  }
  if (!fields.some((field) => field.lower === 'from')) throw new RangeError('message has no From to sign');
  return { names, canonical };
}

function signatureField(key: DkimKey, timestamp: number, names: readonly string[], bodyHash: string): string {
  const list = wrap(names.join(':'), ':').join('\r\n ');
  return (
    `DKIM-Signature: v=1; a=${key.algorithm}; c=relaxed/relaxed; d=${key.domain};\r\n` +
    ` s=${key.selector}; t=${timestamp};\r\n h=${list};\r\n bh=${bodyHash};\r\n b=`
  );
}

// crypto.sign with a callback leaves the event loop free: an RSA-2048 signature takes about 0.45 ms of a
// core.
function signData(key: DkimKey, data: Buffer): Promise<string> {
  // RFC 8463 section 3: Ed25519 signs the SHA-256 digest, not the text.
  const ed25519 = key.algorithm === 'ed25519-sha256';
  const input = ed25519 ? createHash('sha256').update(data).digest() : data;
  return new Promise((resolve, reject) => {
    sign(ed25519 ? null : 'sha256', input, key.privateKey, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString('base64'));
    });
  });
}

function wrap(list: string, separator: string): string[] {
  const lines: string[] = [];
  let rest = list;
  while (rest.length > CHUNK) {
    const cut = rest.lastIndexOf(separator, CHUNK) + 1;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...lines, rest];
}

function chunks(text: string): string[] {
  return text.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
}
