// The author of ready-made mail: the one mailbox of From or Sender, by the grammar of RFC 5322 section 3.4 (folds with tabs,
// comments, groups) and in the illegal forms that other mail servers take too (section 4.4).

import addressparser from 'nodemailer/lib/addressparser';

import { parseAddress, parseMailbox, type Address, type AddressResult } from '../address.ts';
import { mailboxLine } from '../header-line.ts';
import { decodeWords } from '../repair-header.ts';
import { toOneLine } from '../unsafe-text.ts';

const MAX_AUTHOR_CHARS = 4_000; // of the field: no name is longer, and the parser need not see more
const MAX_DISPLAY_CHARS = 200;

const ADDRESS = /[^\s<>()@,;:"]{1,64}@[^\s<>()@,;:"]{1,255}/g;

/** Reads the value of a field without its folding. Several addresses, and none, are refused. */
export function readAuthor(value: string): AddressResult {
  const text = value.replaceAll('\t', ' ');
  const parsed = parseMailbox(text);
  if (parsed.ok || text.length > MAX_AUTHOR_CHARS) return parsed;
  const [one, ...others] = addressparser(text, { flatten: true });
  if (!one?.address) return parsed;
  if (others.length > 0) return { ok: false, reason: 'it has several addresses' };
  const bare = parseAddress(one.address);
  if (!bare.ok) return bare;
  if (namesAnother(text, one.address))
    return { ok: false, reason: 'it names another address, which must be quoted' };
  const display = toOneLine(decodeWords(one.name)).slice(0, MAX_DISPLAY_CHARS).toWellFormed();
  return { ok: true, address: display === '' ? bare.address : { ...bare.address, display } };
}

// Some readers would take an address in a comment, or one before another, for the author.
function namesAnother(text: string, address: string): boolean {
  const pieces = text.replace(/\\./g, '').split('"');
  const unquoted = pieces.filter((_, at) => at % 2 === 0).join(' ');
  return (unquoted.match(ADDRESS) ?? []).some((one) => one.toLowerCase() !== address.toLowerCase());
}

/**
 * The field From as it must leave, where its form is illegal: `ACME, Inc. <a@b.example>` is two mailboxes to some receivers, so
 * the name is quoted. Null where it leaves as it came: comments, groups and routes are legal, encoded words are to be kept.
 */
export function repairedFrom(value: string): string | null {
  const text = value.replaceAll('\t', ' ');
  if (/[(:;]|=\?/.test(text) || parseMailbox(text).ok) return null;
  const author = readAuthor(text);
  return author.ok ? mailboxLine('From', toMailbox(author.address)) : null;
}

function toMailbox({ email, display }: Address) {
  return { address: email, ...(display !== undefined && { name: display }) };
}
