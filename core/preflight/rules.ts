// The rules that a preflight checks, each with where it is from. docs/deliverability.md has a row for each, which
// test/unit/preflight/rules.test.ts compares with this table.

/** Google: email sender guidelines. */
const GOOGLE = 'https://support.google.com/a/answer/81126';
/** Yahoo: sender best practices. */
const YAHOO = 'https://senders.yahooinc.com/best-practices/';
const RFC = 'https://www.rfc-editor.org/rfc/rfc';

/** What was decided by whom. */
export interface Rule {
  /** The end of its anchor in the documentation. */
  anchor: string;
  sources: readonly string[];
}

/** Every rule by the id of its check, in the order in which checks are shown. */
export const RULES = {
  spf: { anchor: 'spf', sources: [GOOGLE, `${RFC}7208#section-4.6.4`] },
  dkim: { anchor: 'dkim', sources: [GOOGLE, `${RFC}6376#section-3.6.1`] },
  dmarc: { anchor: 'dmarc', sources: [GOOGLE, YAHOO, `${RFC}7489#section-6.6.3`] },
  alignment: { anchor: 'alignment', sources: [GOOGLE, `${RFC}7489#section-3.1`] },
  return_path: { anchor: 'return-path', sources: [`${RFC}5321#section-4.4`] },
  one_click: { anchor: 'one-click', sources: [GOOGLE, YAHOO, `${RFC}8058`] },
  reverse_dns: { anchor: 'reverse-dns', sources: [GOOGLE, YAHOO] },
  tls: { anchor: 'tls', sources: [GOOGLE] },
  tracking_host: { anchor: 'tracking-host', sources: [YAHOO] },
  free_mail: { anchor: 'free-mail', sources: [GOOGLE, YAHOO] },
  visible_unsubscribe: { anchor: 'visible-unsubscribe', sources: [GOOGLE, YAHOO] },
  variables: { anchor: 'variables', sources: [] },
  size: {
    anchor: 'size',
    sources: ['https://www.spamresource.com/2022/01/what-is-gmail-clipping-and-what-to-do.html'],
  },
  links: { anchor: 'links', sources: [YAHOO] },
  audience: { anchor: 'audience', sources: [] },
} as const satisfies Record<string, Rule>;

/** The name of a check. */
export type CheckId = keyof typeof RULES;

/** Bytes of HTML, as it is sent, over which Gmail shows only the beginning (`RULES.size`). */
export const GMAIL_CLIPS_AT = 102 * 1024;

/** Look-ups over which an SPF record is an error (RFC 7208 section 4.6.4). */
export const MAX_SPF_LOOKUPS = 10;
