// Failures of our own before a session: our resolver, our sockets, our TLS. Texts are Node's and OpenSSL's
// error codes.

import type { BounceRule } from './rule.ts';

/** Rows for the stages dns, connect and tls; no row here looks at what a server said. */
export const NETWORK_RULES: readonly BounceRule[] = [
  {
    id: 'dns-null-mx',
    class: 'null_mx',
    stage: 'dns',
    text: /null mx/,
    examples: ['null MX: example.com accepts no mail'],
  },
  {
    id: 'dns-no-domain',
    class: 'invalid_domain',
    stage: 'dns',
    text: /enotfound|nxdomain/,
    examples: ['queryMx ENOTFOUND no-such-domain.example', 'NXDOMAIN'],
  },
  {
    id: 'dns-other',
    class: 'dns_failure',
    stage: 'dns',
    examples: [
      'queryMx ESERVFAIL example.com',
      'queryA ETIMEOUT mx1.example.com',
      'queryMx ENODATA example.com',
    ],
  },
  {
    id: 'tls-any',
    class: 'tls',
    stage: 'tls',
    examples: [
      'unable to verify the first certificate',
      "Hostname/IP does not match certificate's altnames: Host: mx.example.com. is not in the cert's altnames",
      'ssl3_read_bytes:tlsv1 alert protocol version',
    ],
  },
  {
    id: 'connect-timeout',
    class: 'timeout',
    stage: 'connect',
    text: /etimedout|timeout|timed out/,
    examples: ['connect ETIMEDOUT 192.0.2.7:25', 'greeting timeout after 60 s'],
  },
  {
    id: 'connect-other',
    class: 'connection',
    stage: 'connect',
    examples: [
      'connect ECONNREFUSED 192.0.2.7:25',
      'read ECONNRESET',
      'connect EHOSTUNREACH 192.0.2.7:25',
      'socket closed',
    ],
  },
];
