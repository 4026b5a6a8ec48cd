// Refusals of our authentication, our envelope sender, and our right to relay. None ever suppresses a
// recipient.

import { either, type BounceRule } from './rule.ts';

/** Rows about who we say we are, read before any row about the recipient. */
export const SENDER_RULES: readonly BounceRule[] = [
  {
    id: 'auth-dmarc',
    class: 'auth_failed',
    text: /dmarc/,
    examples: [
      "550-5.7.26 Unauthenticated email from example.com is not accepted due to\r\n550-5.7.26 domain's DMARC policy. Please contact the administrator of\r\n550 5.7.26 example.com domain - gsmtp",
      '550 5.7.509 Access denied, sending domain [EXAMPLE.COM] does not pass DMARC verification and has a DMARC policy of reject.',
      "554 5.7.1 Your message was rejected due to example.com's DMARC policy. See https://support.apple.com/en-us/HT204137 for info",
      '550 DMARC Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550',
    ],
  },
  {
    id: 'auth-spf',
    class: 'auth_failed',
    text: either(
      /\bspf\b|openspf|spf-|is not allowed to send (?:mail )?(?:from|for|on behalf)/,
      /not (?:permitted|authorized|designated).{0,30}(?:sender|to send (?:mail |email )?(?:from|for|on behalf))/,
    ),
    examples: [
      '550-5.7.26 The MAIL FROM domain [email.example.com] has an SPF record with a hard fail\r\n550 5.7.26 policy (-all) but it fails to pass SPF checks with the ip: [192.0.2.7]. - gsmtp',
      '550 SPF Sender Invalid - envelope rejected',
      '550 5.7.23 The message was rejected because of Sender Policy Framework violation -> 550 192.0.2.7 is not allowed to send from <example.com>',
    ],
  },
  {
    id: 'auth-dkim',
    class: 'auth_failed',
    text: /dkim(?!-signature')/,
    examples: [
      '550 5.7.20 No passing DKIM signature found',
      '554 5.7.5 DKIM signature verification failed for example.com',
      '550 DKIM Sender Invalid - envelope rejected',
    ],
  },
  {
    id: 'auth-unauthenticated',
    class: 'auth_failed',
    text: either(
      /unauthenticated (?:email|mail|message|sender)|sender is unauthenticated/,
      /requires all senders to authenticate|authentication checks? failed/,
      /(?:failed|did not pass|does not pass) (?:sender |email |domain )?authentication/,
      /sender policy framework/,
    ),
    examples: [
      '550-5.7.26 This mail has been blocked because the sender is unauthenticated.\r\n550 5.7.26 Gmail requires all senders to authenticate - gsmtp',
      '550 5.7.515 Access denied, sending domain EXAMPLE.COM did not pass sender authentication.',
      '550 5.7.26 Multiple authentication checks failed',
    ],
  },
  {
    id: 'auth-outlook-level',
    class: 'auth_failed',
    text: /required authentication level/,
    examples: [
      '550 5.7.515 Access denied, sending domain EXAMPLE.COM does not meet the required authentication level.',
    ],
  },
  {
    id: 'sender-domain-unknown',
    class: 'sender_rejected',
    text: either(
      /(?:domain of sender|sender(?:'s)?(?: email)?(?: address)?(?: domain| address)?|mail from domain|return address|sending domain|originating domain|envelope sender)(?: \S{1,100})? (?:does not|doesn't|must|not|cannot be|could not be|has no|is not|isn't|do not) (?:exist|resolve|found|verified|be resolved|valid|a valid|an? mx|routable)/,
      /unrout(?:e)?able sender|unresolvable.{0,20}sender|sender verif(?:y|ication) (?:failed|error)/,
      /valid sender domain/,
    ),
    examples: [
      '553 5.1.8 <news@bounce.example.com>... Domain of sender address news@bounce.example.com does not exist',
      '450 4.1.8 <news@bounce.example.com>: Sender address does not resolve',
      '550 Unroutable sender address',
      '550 Sender verify failed',
    ],
  },
  {
    id: 'sender-address-rejected',
    class: 'sender_rejected',
    text: either(
      /(?:sender|return path|reverse-path|from address|envelope from|mail from)(?: email)?(?: address)?(?: \S{1,100}:?)? (?:is |was |has been )?(?:rejected|refused|denied|not accepted|not allowed|blocked|invalid|unknown)/,
      /(?:bad|invalid|unknown|illegal) (?:sender|return|reverse)/,
      /mail from \S{1,100} (?:rejected|denied)|my name was rejected/,
    ),
    examples: [
      '501 5.1.8 Sender address rejected',
      '550 5.1.0 <news@bounce.example.com> sender rejected',
      '554 5.1.7 Bad sender address syntax',
      '553 Invalid sender',
      '450 4.1.8 <news@bounce.example.com>: Sender address rejected: Domain not found',
    ],
  },
  {
    // These words are about our right to send. Gateways pair them with codes for the recipient.
    id: 'sender-not-registered',
    class: 'sender_rejected',
    bareText: either(
      /unauthori[sz]ed (?:sender|domain|from)|sender (?:address )?(?:is )?(?:not |un)(?:authori[sz]ed|permitted|registered)/,
      /\b(?:your|sending|sender|from)(?:'s)?[ -](?:\S{1,20} )?(?:domain|account|address|ip|host|server) (?:is |has |was |been |have ){0,2}(?:not |un)(?:been )?(?:registered|known|authori[sz]ed|verified|recogni[sz]ed|configured)/,
      /not registered (?:to use|with) (?:this|our|the) (?:\S{1,20} )?(?:relay|gateway|smarthost|service|server)/,
    ),
    examples: [
      '550 5.1.1 <ann@example.com>: unauthorized sender',
      '550 5.1.1 Your domain has not been registered with this relay service',
      '550 5.1.2 From-domain unknown: we could not find an MX for your domain',
    ],
  },
  {
    id: 'sender-dns-check', // "[x IP: 192.0.2.1]": the client's address, so the domain is that of the client or the sender
    class: 'sender_rejected',
    text: /domain may not exist or dns (?:check|lookup) failed/,
    examples: ['550 Domain may not exist or DNS check failed [example.com IP: 192.0.2.7]'],
  },
  {
    id: 'sender-code', // a code of the sender beats words such as "domain not found",
    class: 'sender_rejected',
    enhanced: /^[45]\.1\.[78]$/,
    examples: ['550 5.1.7 no', '550 5.1.8 no'],
  },
  {
    id: 'sender-of-bounces', // who refuses the null sender, or an envelope sender without its own mark (BATV)
    class: 'sender_rejected',
    text: either(
      /\bbatv\b|backscatter|bouncedeny|third-party dsn|unsigned dsn|returned mail not accepted|bogus mail from/,
      /(?:null|empty) (?:envelope )?(?:sender|email|return)|sender domain is|from: domain|emetteur|mail from (?:not|\S{1,100} (?:does not|doesn't) exist)/,
      /(?:invalid|bad|unknown) (?:envelope |header )?from\b|mx records for \S{1,100} violate|rfc ?1035|recursive cname|email address is not verified/,
    ),
    examples: [
      '550 5.1.1 Backscatter Protection detected an invalid or expired email address',
      '550 Empty envelope senders not allowed',
      '554 Message rejected: Email address is not verified',
    ],
  },
  {
    id: 'helo-refused',
    class: 'protocol',
    text: /\b(?:helo|ehlo)\b.{0,80}(?:rejected|unknown|invalid|not found|required|denied|mismatch|need)/,
    examples: [
      '504 5.5.2 <mx7>: Helo command rejected: need fully-qualified hostname',
      '550 <mx7.example.net>: Helo command rejected: Host not found',
    ],
  },
  {
    id: 'helo-netease',
    class: 'protocol',
    text: /^mi:nhd\b/,
    examples: ['550 MI:NHD 163 mx2'],
  },
  {
    id: 'login-refused',
    class: 'relay_denied',
    code: /^53[458]$/,
    examples: ['535 5.7.8 Authentication credentials invalid', '535 invalid user', '538 Encryption required'],
  },
  {
    id: 'our-account-closed',
    class: 'relay_denied',
    text: /your (?:\S{1,30} )?(?:account|mailbox|access|service)(?: \S{1,60})? (?:is|was|has been|is currently) \S/,
    examples: ['550 5.7.0 Your account has been suspended', '554 Your SMTP account is disabled'],
  },
  {
    id: 'policy-login-for-recipient',
    class: 'policy',
    text: either(
      /resolver\.rst\.|authentication required for delivery/,
      /recipient (?:only )?accepts? (?:mail|messages|email) (?:only )?from/,
      /only (?:authenticated|internal) (?:users|senders)/,
    ),
    examples: [
      '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
      '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
      '550 5.7.12 This recipient accepts mail only from senders inside its organization',
    ],
  },
  {
    id: 'relay-denied-words',
    class: 'relay_denied',
    text: either(
      /rela(?:y|ying)(?: access| attempt)?(?: is| was)?(?: not)? (?:denied|permitted|allowed|prohibited|rejected|not)/,
      /(?:unable|not (?:permitted|allowed|authori[sz]ed)|cannot|can't|denied|prohibited|refuse\w{0,1}|we do not|won't|do not) (?:to )?rela(?:y|ying)/,
      /no relay|isn't in my (?:list of allowed|control)|not in my list of allowed/,
      /is not a local (?:domain|host)|not a (?:gateway|local domain)|open relay|not a relay/,
    ),
    examples: [
      '554 5.7.1 <ann@example.com>: Relay access denied',
      '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
      '550 relay not permitted',
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      '550-5.7.1 relaying denied for <ann@example.com>',
      '550 5.7.1 We do not relay',
    ],
  },
  {
    id: 'relay-login-wanted',
    class: 'relay_denied',
    text: either(
      /authentication (?:is )?required(?! for delivery)|requires? authentication|must (?:be )?authenticat/,
      /smtp auth(?:entication)? (?:is )?required|please (?:authenticate|log ?in)/,
      /unauthenticated senders? not|must issue a starttls.{0,5}auth/,
    ),
    code: /^5[35]0$|^4/,
    examples: [
      '530 5.7.0 Authentication required',
      '530 5.7.57 Client must be authenticated',
      '550 SMTP authentication is required.',
    ],
  },
];
