// Passwords that guessers try first (NIST SP 800-63B section 3.1.1.2 asks to refuse them). The list is that of zxcvbn-ts,
// 49,233 of the most used passwords in leaks. It is loaded at the first question and kept: about 4 MB.

let list: Promise<ReadonlySet<string>> | undefined;

const SHORT_PART = 4; // a year, a PIN, some signs: so much is tried behind every word
const SHORT_UNIT = 4;
const LETTER = /^\p{L}/u;

/** Whether a password is on the list, however it is capitalised, repeats an entry, or is one with digits and signs around. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  const known = await list;
  const text = password.normalize('NFKC').toLowerCase();
  const unit = repeatedUnit(text);
  if (known.has(text) || known.has(unit) || (unit !== text && unit.length <= SHORT_UNIT)) return true;
  const parts = unit.match(/\p{L}+|\p{N}+|[^\p{L}\p{N}]+/gu) ?? [];
  // Several words are a passphrase, though each of them is on the list.
  if (new Set(parts.filter((part) => LETTER.test(part))).size !== 1) return false;
  return parts.every((part) => known.has(part) || (part.length <= SHORT_PART && !LETTER.test(part)));
}

/**
 * The part of an address that a password has in it, or null: the local part, the domain, or a name of the domain. Parts of
 * less than 4 characters are in too many words to mean anything.
 */
export function addressIn(password: string, email: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const names = domain.split('.').slice(0, -1);
  const parts = [local, domain, ...names].map((part) => part.toLowerCase());
  return parts.find((part) => part.length >= 4 && text.includes(part)) ?? null;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((entry) => entry.toLowerCase()));
}

// `abcabcabc` is `abc`; what repeats nothing is itself.
function repeatedUnit(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}
