// Is this TXT record our DKIM key (RFC 6376 section 3.6.1), and if not, what happened to it? Pure.

import { keyType } from './dkim-key.ts';
import type { DkimKeyInfo } from './domain.ts';

/** What the records at a name amount to, with a sentence for whoever has to repair them. */
export interface Judgement {
  status: 'found' | 'missing' | 'wrong';
  problem: string | null;
}

/** Judges the TXT records at a key's name. `others` are further keys of the domain, retired ones too. */
export function judgeDkim(values: string[], key: DkimKeyInfo, others: DkimKeyInfo[]): Judgement {
  const judged = values.map((value) => judgeOne(value, key, others));
  const found = judged.find((one) => one.status === 'found');
  if (!found) return judged[0] ?? { status: 'missing', problem: 'There is no TXT record at this name.' };
  if (values.length === 1) return found;
  // RFC 6376 section 3.6.2.2: with several records the result is undefined; most receivers try each.
  return { status: 'found', problem: 'Another TXT record has the same name; remove it.' };
}

/** Whether a TXT record holds this key, however it was pasted. */
export function holdsKey(value: string, key: DkimKeyInfo): boolean {
  return keyText(value.replaceAll('"', '')) === key.publicKey;
}

function judgeOne(value: string, key: DkimKeyInfo, others: DkimKeyInfo[]): Judgement {
  if (value.includes('"')) {
    return holdsKey(value, key)
      ? wrong('The value is right but contains quotation marks: publish it without them, as one text.')
      : wrong('The value contains quotation marks and is not our key: copy the value again, without them.');
  }
  const tags = tagsOf(value);
  const published = keyText(value);
  if (published === null) return wrong('The record has no DKIM key (no p=): copy the whole value.');
  if (published === '') return wrong('The record revokes the key (p= is empty): copy the value again.');
  if (published !== key.publicKey) return wrong(otherKey(published, key, others));
  const version = tags.get('v');
  if (version !== undefined && version !== 'DKIM1') return wrong('The value must begin with v=DKIM1.');
  const type = tags.get('k') ?? 'rsa';
  if (type !== keyType(key.algorithm))
    return wrong(`The value says k=${type.slice(0, 20)} but must say k=${keyType(key.algorithm)}.`);
  // RFC 6376 section 3.6.1: a verifier ignores a key that is not for email, or not for the hash of the signature.
  const services = listOf(tags.get('s') ?? '*');
  if (!services.includes('*') && !services.includes('email'))
    return wrong('The record says s= without email: the key is not for mail. Remove s=.');
  const hashes = listOf(tags.get('h') ?? 'sha256');
  if (!hashes.includes('sha256'))
    return wrong('The record says h= without sha256: signatures fail. Remove h=.');
  if (tags.get('t')?.split(':').includes('y'))
    return { status: 'found', problem: 'The record says t=y (testing): receivers may ignore it.' };
  return { status: 'found', problem: null };
}

function otherKey(published: string, key: DkimKeyInfo, others: DkimKeyInfo[]): string {
  if (key.publicKey.startsWith(published))
    return (
      `The key is cut off after ${published.length} of ${key.publicKey.length} characters: some providers want ` +
      'values over 255 characters in several strings of one record.'
    );
  const old = others.find((other) => other.publicKey === published);
  if (old) return `The record has the key of selector ${old.selector}: replace it with the value shown here.`;
  return 'The record has another key, perhaps an old one: replace it with the value shown here.';
}

function listOf(tag: string): string[] {
  return tag.split(':').map((item) => item.trim());
}

// Whitespace inside p= is legal: long values are folded.
function keyText(value: string): string | null {
  return tagsOf(value).get('p')?.replace(/\s+/g, '') ?? null;
}

function tagsOf(value: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of value.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0) tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim());
  }
  return tags;
}

function wrong(problem: string): Judgement {
  return { status: 'wrong', problem };
}
