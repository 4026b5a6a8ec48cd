// What mailbox providers ask of bulk senders, as far as the gate applies it: campaign mail above a number a day needs a DMARC
// record. What waits for it is released when the daily check, or a person's, finds the record.

/**
 * Campaign mail of a UTC day above which a domain needs a DMARC record. Providers count what each of them gets; we count
 * all, since a list of any size is mostly theirs. https://support.google.com/a/answer/81126 (5,000 a day to Gmail),
 * https://senders.yahooinc.com/best-practices/ (bulk senders), Outlook.com: "Outlook's New Requirements for High-Volume
 * Senders" (domains that send over 5,000 a day).
 */
export const BULK_WITHOUT_DMARC = 5_000;

/**
 * SQL of the most campaign mail of a day for the sender rules, null where there is no such limit. A record that was never
 * looked up holds no mail: DNS may be to blame.
 */
function bulkLimitOf(enabled: string, recordStatus: string): string {
  const missing = `${recordStatus} #>> '{dmarc,status}' in ('missing', 'wrong')`;
  return `(case when ${enabled} and ${missing} then ${BULK_WITHOUT_DMARC} end)`;
}

/** SQL of the limit of the domain `d`. */
export const BULK_LIMIT = bulkLimitOf('d.sender_rules_enabled', 'd.record_status');

/** SQL for an UPDATE of `domains` with CLOCK: when the limit ended last, given what setting and records become. */
export function liftedAt(enabled: string, recordStatus: string): string {
  const before = bulkLimitOf('domains.sender_rules_enabled', 'domains.record_status');
  return `case when ${before} is not null and ${bulkLimitOf(enabled, recordStatus)} is null then clock.now
    else domains.sender_rules_lifted_at end`;
}
