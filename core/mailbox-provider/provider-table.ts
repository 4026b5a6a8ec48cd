// The mailbox providers that are known by their MX hosts, and the limits with which we begin. One row each.
//
// Connections are those of KumoMTA's traffic shaping rules (`SHAPING`, `COMMUNITY`), which providers and senders keep up to
// date; where a provider says something itself, its page is the source. Messages a minute: two a second over each connection,
// which a provider that answers in half a second takes anyway (ours). `MAILBOX_PROVIDERS` adds rows and replaces them.

/** A mailbox provider: whose MX hosts count as one destination, and the limits of all senders together. */
export interface MailboxProvider {
  /** Lower case, as it is stored and shown. */
  name: string;
  /** Host names; one below them counts as well. */
  mx: readonly string[];
  /** Most SMTP connections at a time, until it is known better; never more. */
  connections: number;
  /** Most messages a minute, likewise. */
  perMinute: number;
}

const PER_CONNECTION = 120; // messages a minute
const SHAPING = 'https://github.com/KumoCorp/kumomta/blob/main/assets/policy-extras/shaping.toml';
const COMMUNITY = 'https://github.com/KumoCorp/kumomta/blob/main/assets/community/shaping.toml';

/** The rows, each with where its limits are from. Google Workspace and Microsoft 365 are where their tenants' MX lead. */
export const PROVIDERS = [
  row('gmail', ['google.com', 'googlemail.com'], 5, SHAPING),
  row('outlook', ['olc.protection.outlook.com'], 5, SHAPING),
  row('microsoft365', ['mail.protection.outlook.com', 'mx.microsoft'], 5, SHAPING),
  row('yahoo', ['yahoodns.net'], 10, 'https://senders.yahooinc.com/best-practices/'),
  row('yahoo-japan', ['yahoo.co.jp'], 2, COMMUNITY),
  row('icloud', ['icloud.com'], 10, SHAPING),
  row('gmx', ['gmx.net', 'web.de'], 4, COMMUNITY),
  row('orange', ['orange.fr'], 3, SHAPING),
  row('comcast', ['comcast.net'], 25, 'https://spa.xfinity.com/postmaster'),
  row('qq', ['qq.com'], 4, COMMUNITY),
  row('netease', ['netease.com'], 4, COMMUNITY),
  row('kpn', ['kpnmail.nl'], 10, COMMUNITY),
  row('netvigator', ['netvigator.com'], 5, COMMUNITY),
  row('barracuda', ['barracudanetworks.com'], 10, COMMUNITY),
  row('mimecast', ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'], 10, SHAPING),
] as const satisfies readonly (MailboxProvider & { source: string })[];

function row<Name extends string>(name: Name, mx: readonly string[], connections: number, source: string) {
  return { name, mx, connections, perMinute: connections * PER_CONNECTION, source };
}
