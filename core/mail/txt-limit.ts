// The longest TXT record that is read for mail authentication. mailauth reads SPF with patterns that take quadratic time: a record of
// 60 kB took 12 s.

const MAX_TXT_OCTETS = 2_048; // RFC 7208 section 3.4 recommends 450 for SPF; a DKIM key of 8,192 bits has 1,400

/** Whether a TXT record, its strings joined, is short enough to be read. A longer one counts as absent. */
export function isReadableTxt(record: string): boolean {
  return record.length <= MAX_TXT_OCTETS;
}
