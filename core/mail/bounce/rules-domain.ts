// Refusals of the recipient's domain: looked up in vain, or not there.

import { either, type BounceRule } from './rule.ts';

/** Rows about the domain of the recipient, read after those about the recipient. */
export const DOMAIN_RULES: readonly BounceRule[] = [
  {
    id: 'domain-host-not-found',
    class: 'invalid_domain',
    text: /host \S{1,253} not found(?!, try)/,
    examples: ['DNS lookup failure: host mx.no-such.example not found'],
  },
  {
    id: 'domain-lookup-failed',
    class: 'dns_failure',
    text: either(
      /host not found, try again|malformed (?:or unexpected )?name server reply/,
      /(?:dns|name service|domain name|mx) (?:lookup|query|server|resolution|record)?s? ?(?:failed|failure|error(?! for name=\S{1,253} type=\w{1,6}: host not found)|timed out|problem)/,
      /all relevant mx records point to non-existent|mail for \S{1,100} loops back/,
      /can(?:no|')t (?:resolve|look up|find) (?:mx|domain|host|dns)|no mx (?:record|host)/,
      /could ?n.t be (?:resolved|looked up)|could not find a gateway/,
    ),
    examples: [
      '550 5.4.312 Message expired, DNS query failed(ErrorRetry)',
      'Host or domain name not found. Name service error for name=example.com type=MX: Host not found, try again',
      'Name service error for name=example.com type=MX: Malformed or unexpected name server reply',
      'all relevant MX records point to non-existent hosts',
      '451 4.4.3 DNS lookup failed',
    ],
  },
  {
    id: 'domain-unknown',
    class: 'invalid_domain',
    text: either(
      /host unknown|unknown (?:host|domain)|host (?:or domain name )?not found|name or service not known/,
      /(?:no such|non-?existent|unknown) (?:host|domain)|(?:account or )?domain may not exist/,
      /(?<![@\S])[^\s@]{1,100}\.[^\s@]{2,20} does not exist|unrout(?:e)?able mail domain|(?:recipient )?domain must exist/,
      /bad destination (?:system|host|mailbox system)|(?:unable to|weren't able to) find the recipient domain|couldn't find any host|no dns records for|domain is not reachable/,
    ),
    examples: [
      '550 5.1.2 <ann@no-such.example>... Host unknown (Authoritative answer from name server)',
      'Host or domain name not found. Name service error for name=no-such.example type=A: Host not found',
      '553 no-such.example.com does not exist',
      "553-5.1.2 We weren't able to find the recipient domain. Please check for any\r\n553 5.1.2 spelling errors - gsmtp",
      'Unrouteable mail domain "no-such.example"',
      "Sorry, I couldn't find any host named no-such.example. (#5.1.2)",
    ],
  },
];
