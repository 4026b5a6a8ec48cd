// One check of a preflight, and how the parts of an answer are made.

import { RULES, type CheckId } from './rules.ts';

/** How a check ends, and what that means. */
export const CHECK_STATUSES = {
  pass: 'As it should be',
  warn: 'It may do harm, or could not be found out',
  fail: 'Mailbox providers refuse such mail or call it spam',
};
export type CheckStatus = keyof typeof CHECK_STATUSES;

/** What was looked at, what is there, what should be, and what to do. */
export interface Check {
  id: CheckId;
  status: CheckStatus;
  found: string;
  expected: string;
  /** Null when there is nothing to do. */
  fix: string | null;
  /** Where the documentation says why. */
  docs: string;
}

/** Makes a check. What comes from other people's DNS or HTML is made printable and short. */
export function makeCheck(
  id: CheckId,
  status: CheckStatus,
  found: string,
  expected: string,
  fix: string | null = null,
): Check {
  return { id, status, found: shown(found), expected, fix, docs: `${DOCS}#${anchorOf(id)}` };
}

/** Whether nothing fails. */
export function isOk(checks: Check[]): boolean {
  return checks.every(({ status }) => status !== 'fail');
}

/** The place of a rule in the documentation. */
export function anchorOf(id: CheckId): string {
  return `rule-${RULES[id].anchor}`;
}

const DOCS = 'docs/deliverability.md';
const MAX_CHARS = 500;

function shown(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length <= MAX_CHARS ? plain : `${plain.slice(0, MAX_CHARS)}…`;
}
