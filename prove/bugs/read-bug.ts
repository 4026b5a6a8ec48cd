// A planted bug: a patch that a proof must find. Its head says in words what it breaks, which rule is to find it, and what
// the rule then says: another finding of the same rule is a false alarm, and does not count.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { RULES, type Finding, type Rule } from '../audit/finding.ts';

/** A planted bug. */
export interface Bug {
  /** For example `01-cap-plus-one`. */
  name: string;
  file: string;
  /** One sentence. */
  what: string;
  /** The rule that is to find it. */
  rule: Rule;
  /** What the rule then says. */
  says: RegExp;
}

/** Reads the head of a patch. Throws when it does not say what it should. */
export function readBug(file: string): Bug {
  const head = readFileSync(file, 'utf8').split('diff --git')[0]!;
  const what = /^What: (.+(?:\n {2}.+)*)/m.exec(head)?.[1]?.replace(/\n {2}/g, ' ');
  const rule = RULES.find((one) => one === /^Rule: (.+)$/m.exec(head)?.[1]);
  const says = /^Says: (.+)$/m.exec(head)?.[1];
  if (!what || !rule || !says) throw new Error(`${file}: its head needs the lines What:, Rule: and Says:`);
  return { name: basename(file, '.patch'), file, what, rule, says: new RegExp(says) };
}

/** Whether a finding is about this bug. */
export function isFoundBy({ rule, says }: Bug, finding: Finding): boolean {
  return finding.rule === rule && says.test(finding.what);
}
