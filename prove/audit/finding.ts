// What the auditor says.

/** The promises that are checked; docs/proof.md has a line for each. */
export const RULES = [
  'whole',
  'settled',
  'cap',
  'accepted',
  'repeats',
  'unasked',
  'content',
  'early',
  'suppression',
  'why',
  'order',
  'system',
  'events',
  'idempotency',
  'quota',
  'rate-limit',
  'inbound',
] as const;

/** The name of one promise. */
export type Rule = (typeof RULES)[number];

/** One broken promise. */
export interface Finding {
  rule: Rule;
  /** What it is about: a recipient, a domain's day, a key. */
  about: string;
  /** One sentence with the facts. */
  what: string;
  /** When it was seen, in the journal's milliseconds; null when it is about the whole run. */
  t: number | null;
}
