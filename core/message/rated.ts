// Which mail counts in rates: the rates by which the ramp, the same-day brake, the score and alerts judge a domain, those of a new
// address, and those at a provider. Mail of this service itself and tests count in none of them. Neither does mail of the
// built-in domain of `npm start` to the simulator; `domain_days` has separate rows for it, because the overview shows it.

import { UNRATED_ORIGINS } from './origin.ts';

const UNRATED_LIST = `array[${UNRATED_ORIGINS.map((origin) => `'${origin}'`).join(', ')}]`;

/** SQL: whether mail of the origin in a column counts in rates. Mail that an older version accepted has none, and counts. */
export function ratedOriginSql(column: string): string {
  return `coalesce(${column} <> all(${UNRATED_LIST}), true)`;
}

/** SQL: whether the address in a column is one of the mailbox simulator. */
export function simulatedSql(column: string): string {
  return `(lower(${column}) like '%@simulator.test')`;
}

/**
 * SQL: whether a message counts in rates; `m` names a row with its tenant_id, domain_id, rcpt_to and origin. Only of mail to the
 * simulator the domain is looked up.
 */
export function ratedSql(m: string): string {
  return `(${ratedOriginSql(`${m}.origin`)} and not (${simulatedSql(`${m}.rcpt_to`)} and exists (
    select from domains sent_by where sent_by.id = ${m}.domain_id and sent_by.tenant_id = ${m}.tenant_id and sent_by.built_in)))`;
}

/** SQL: whether a row of `domain_days` counts in rates; the other name is that of its row in `domains`. */
export function ratedDaySql(day: string, domain: string): string {
  return `not (${domain}.built_in and ${day}.simulated)`;
}
