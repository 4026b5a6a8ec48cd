// Records in DNS that are lists of tags: `v=…; name=value; …` (RFC 7489 section 6.4, RFC 8460 section 3, RFC 8461
// section 3.1).

import { trimEnd } from '../base/trim-end.ts';

const BLANK = ' \t';

/** The tags of a record that begins with `v=<version>`, in their order, without blanks around them; null for another record. */
export function readTags(record: string, version: string): { name: string; value: string }[] | null {
  const [first, ...tags] = record.split(';').map((tag) => {
    const [name = '', ...value] = tag.split('=');
    return { name: trimBlanks(name), value: trimBlanks(value.join('=')) };
  });
  return first?.name === 'v' && first.value === version ? tags : null;
}

function trimBlanks(text: string): string {
  let from = 0;
  while (from < text.length && BLANK.includes(text[from]!)) from++;
  return trimEnd(text.slice(from), BLANK);
}
