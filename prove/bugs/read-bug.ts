// A planted bug: a patch that a proof must find. Its head says in words what it breaks, and which rule is to find it.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { RULES, type Rule } from '../audit/finding.ts';

/** A planted bug. */
export interface Bug {
  /** For example `01-cap-plus-one`. */
  name: string;
  file: string;
  /** One sentence. */
  what: string;
  /** The rule that is to find it. */
  rule: Rule;
}

/** Reads the head of a patch. Throws when it does not say what it should. */
export function readBug(file: string): Bug {
  const head = readFileSync(file, 'utf8').split('diff --git')[0]!;
  const what = /^What: (.+(?:\n {2}.+)*)/m.exec(head)?.[1]?.replace(/\n {2}/g, ' ');
  const rule = RULES.find((one) => one === /^Rule: (.+)$/m.exec(head)?.[1]);
  if (!what || !rule) throw new Error(`${file}: its head needs the lines What: and Rule:`);
  return { name: basename(file, '.patch'), file, what, rule };
}
