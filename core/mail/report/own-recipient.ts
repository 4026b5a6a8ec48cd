// Finds the recipient of our message among those of a report (RFC 3464 section 2.3).

import { normalizeEmail } from '../address.ts';
import type { ReportedRecipient } from './judge-recipient.ts';

/**
 * The recipient of a report that is about `own`, the address that our message went to; null when the report names nobody.
 * The token of the return path says which message; the report may name another address that the recipient's host
 * forwards to. Whoever is gone behind our recipient, a member of a list or where a forward goes, says nothing of its
 * own address, so that its verdict is soft at most. Pure.
 */
export function findOwnRecipient(recipients: ReportedRecipient[], own: string): ReportedRecipient | null {
  const named = recipients.find(
    ({ address }) => address !== '' && normalizeEmail(address) === normalizeEmail(own),
  );
  if (named) return named;
  const originals = recipients.filter(({ originalAddress }) => isSame(originalAddress, own));
  if (originals.length === 1) return originals[0] ?? null;
  const other = recipients.find((one) => one.outcome === 'failed') ?? recipients[0] ?? null;
  if (other === null || other.address === '') return other;
  if (originals.length === 0 && isOtherForm(other.address, own, recipients.length === 1)) return other;
  return { ...other, kind: 'soft', suppresses: false };
}

// Hosts drop the tag of an address (RFC 5233) before they look the mailbox up; none adds one.
function isSame(reported: string, own: string): boolean {
  if (reported === '') return false;
  const [theirs, ours] = [split(reported), split(own)];
  return (
    theirs.domain === ours.domain && (theirs.local === ours.local || theirs.local === untagged(ours.local))
  );
}

// Hosts that rewrite the domain keep the local part. Exchange puts what is no SMTP address of its own into the local
// part: an X.500 name (IMCEAEX), which is ours if nobody else is named, or an address (IMCEASMTP).
function isOtherForm(reported: string, own: string, isOnly: boolean): boolean {
  const [theirs, ours] = [split(reported), split(own)];
  const inner = /^imceasmtp-(.+)$/.exec(theirs.local)?.[1];
  if (inner !== undefined) return isSame(decodeEncapsulated(inner), own);
  if (theirs.local.startsWith('imceaex-')) return isOnly && theirs.domain === ours.domain;
  return theirs.local === ours.local || isSame(reported, own);
}

// `ann+40a+2Etest` is `ann@a.test`: a plus sign and two hexadecimal digits stand for any character.
function decodeEncapsulated(text: string): string {
  return text.replace(/\+([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function untagged(local: string): string {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
}

function split(address: string): { local: string; domain: string } {
  const normal = normalizeEmail(address);
  const at = normal.lastIndexOf('@');
  return { local: normal.slice(0, at), domain: normal.slice(at + 1) };
}
