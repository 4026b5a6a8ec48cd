// When the words say nothing we know: what the codes mean by themselves (RFC 3463, RFC 5321 section 4.2, RFC
// 7372, RFC 7504, RFC 7505, and the IANA registry of enhanced codes).

import { either, type BounceRule } from './rule.ts';

/** Rows that look only at codes, read last. */
export const CODE_RULES: readonly BounceRule[] = [
  {
    // A code of the address alone is not enough where the words speak of somebody else, or of now: a suppression lasts.
    id: 'x.1-doubted',
    class: 'policy',
    enhanced: /^5\.1\.(?:[1236]|10|351)$/,
    bareText: either(
      /sender|\bfrom\b|\byour (?:\S{1,20} )?(?:domain|account|ip|host|server|network)|not registered|registration|subscri/,
      /temporar|verif|later\b|time-?out|timed out|at this time|abus|\bblock|\blisted|complain|spam|reputation|polic|denied/,
    ),
    examples: [
      '550 5.1.1 refused after complaints of abuse by 192.0.2.7',
      '550 5.1.1 the sender may not do that',
    ],
  },
  {
    id: 'x.1.1',
    class: 'invalid_recipient',
    enhanced: /^[45]\.1\.1$/,
    examples: ['550 5.1.1 <ann@example.com> no'],
  },
  {
    id: 'x.1.2',
    class: 'invalid_domain',
    enhanced: /^[45]\.1\.2$/,
    examples: ['550 5.1.2 <ann@example.com> no'],
  },
  {
    id: 'x.1.3',
    class: 'invalid_recipient',
    enhanced: /^[45]\.1\.3$/,
    examples: ['501 5.1.3 <ann@example.com> no'],
  },
  {
    id: 'x.1.6',
    class: 'invalid_recipient',
    enhanced: /^[45]\.1\.6$/,
    examples: ['550 5.1.6 <ann@example.com> no'],
  },
  { id: 'x.1.10', class: 'null_mx', enhanced: /^[45]\.1\.10$/, examples: ['556 5.1.10 no'] },
  {
    id: 'x.2.1',
    class: 'inactive_mailbox',
    enhanced: /^[45]\.2\.1$/,
    examples: ['550 5.2.1 <ann@example.com> no'],
  },
  {
    id: 'x.2.2',
    class: 'mailbox_full',
    enhanced: /^[45]\.2\.2$/,
    examples: ['552 5.2.2 <ann@example.com> no'],
  },
  { id: 'x.2.3', class: 'message_too_large', enhanced: /^[45]\.2\.3$/, examples: ['552 5.2.3 no'] },
  { id: 'x.3.4', class: 'message_too_large', enhanced: /^[45]\.3\.4$/, examples: ['552 5.3.4 no'] },
  { id: 'x.3', class: 'remote_system', enhanced: /^[45]\.3\./, examples: ['554 5.3.0 no', '452 4.3.1 no'] },
  {
    id: 'x.4.1-2',
    class: 'connection',
    enhanced: /^[45]\.4\.[12]$/,
    examples: ['450 4.4.1 no', '421 4.4.2 no'],
  },
  {
    id: 'x.4.3-4',
    class: 'dns_failure',
    enhanced: /^[45]\.4\.[34]$/,
    examples: ['451 4.4.3 no', '550 5.4.4 no'],
  },
  {
    id: 'x.4.6',
    class: 'remote_system',
    enhanced: /^[45]\.4\.(?:6|14)$/,
    examples: ['554 5.4.6 no', '554 5.4.14 no'],
  },
  { id: 'x.4.7', class: 'timeout', enhanced: /^[45]\.4\.7$/, examples: ['550 4.4.7 no'] },
  { id: 'x.5.3', class: 'rate_limited', enhanced: /^[45]\.5\.3$/, examples: ['452 4.5.3 no'] },
  {
    id: 'x.5.1-4',
    class: 'protocol',
    enhanced: /^[45]\.5\.[1245]$/,
    examples: ['503 5.5.1 no', '501 5.5.4 no'],
  },
  {
    id: 'x.6',
    class: 'content_rejected',
    enhanced: /^[45]\.6\./,
    examples: ['554 5.6.0 no', '550 5.6.1 no'],
  },
  {
    id: 'x.7.9-11',
    class: 'tls',
    enhanced: /^[45]\.7\.(?:10|11)$/,
    examples: ['550 5.7.10 no', '554 5.7.11 no'],
  },
  { id: 'x.7.13', class: 'inactive_mailbox', enhanced: /^[45]\.7\.13$/, examples: ['525 5.7.13 no'] },
  {
    id: 'x.7.20-24',
    class: 'auth_failed',
    enhanced: /^[45]\.7\.2[0-4]$/,
    examples: ['550 5.7.20 no', '550 5.7.23 no'],
  },
  { id: 'x.7.25', class: 'reputation_block', enhanced: /^[45]\.7\.25$/, examples: ['550 5.7.25 no'] },
  { id: 'x.7.26', class: 'auth_failed', enhanced: /^[45]\.7\.26$/, examples: ['550 5.7.26 no'] },
  { id: 'x.7.27', class: 'sender_rejected', enhanced: /^[45]\.7\.27$/, examples: ['550 5.7.27 no'] },
  { id: 'x.7.28', class: 'rate_limited', enhanced: /^[45]\.7\.28$/, examples: ['421 4.7.28 no'] },
  { id: 'x.7', class: 'policy', enhanced: /^[45]\.7\./, examples: ['550 5.7.1 no', '550 5.7.0 Rejected'] },
  { id: '556', class: 'null_mx', code: /^556$/, examples: ['556 no'] },
  // RFC 7504 section 3: a host that takes no mail says so in its greeting. To RCPT, Postfix says it to clients it blocks.
  { id: '521-greeting', class: 'null_mx', code: /^521$/, command: ['CONNECT'], examples: ['521 no'] },
  { id: '521', class: 'policy', code: /^521$/, examples: ['521 no'] },
  { id: '525', class: 'inactive_mailbox', code: /^525$/, examples: ['525 no'] },
  { id: '500-504', class: 'protocol', code: /^50[0-4]$/, examples: ['500 no', '502 no', '504 no'] },
  { id: '530', class: 'relay_denied', code: /^530$/, examples: ['530 no'] },
];
