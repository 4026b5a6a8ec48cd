// Refusals of our pace: greylisting and rate limits. A later try passes.

import { either, type BounceRule } from './rule.ts';

/**
 * Rows about how often and how fast we send; read first, since they often name a block list or a reputation
 * too.
 */
export const RATE_RULES: readonly BounceRule[] = [
  {
    id: 'greylist-words',
    class: 'greylisted',
    text: /gr[ae]y-?list/,
    examples: [
      '450 4.2.0 <ann@example.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.com.html',
      '451 4.7.1 Greylisting in action, please come back later',
      '451 4.7.500-699 Graylisted, try again in 5 minutes',
    ],
  },
  {
    id: 'greylist-exim',
    class: 'greylisted',
    code: /^4/,
    text: either(
      /temporarily (?:rejected|deferred).{0,40}(?:try|retry) (?:again )?(?:later|in \d+ (?:sec|min))/,
      /you are not authorized to send mail, please retry|sender not yet (?:known|whitelisted)/,
      /first (?:contact|time sender).{0,40}(?:later|delay)/,
    ),
    examples: [
      '450 4.7.1 Temporarily rejected. Please try again later.',
      '451 First contact from this sender, please come back later',
    ],
  },
  {
    id: 'rate-outlook-ip-reputation',
    class: 'rate_limited',
    text: /temporarily rate limited|rate limited due to ip reputation/,
    examples: [
      '451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)',
    ],
  },
  {
    id: 'rate-yahoo-deferred',
    class: 'rate_limited',
    text: either(
      /temporarily deferred due to (?:unexpected volume|user complaints)/,
      /messages from \S{1,60} temporarily deferred/,
    ),
    examples: [
      '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
      '421 4.7.0 [TS01] Messages from 192.0.2.25 temporarily deferred due to user complaints - 4.16.55.1',
    ],
  },
  {
    id: 'rate-gmail-unsolicited',
    class: 'rate_limited',
    text: /unusual rate of (?:unsolicited )?(?:mail|email|messages)/,
    examples: [
      '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating\r\n421-4.7.28 from your IP address. To protect our users from spam, mail sent from\r\n421 4.7.28 your IP address has been slowed. - gsmtp',
      '450-4.2.1 Our system has detected an unusual rate of email to this account\r\n450 4.2.1 - gsmtp',
    ],
  },
  {
    id: 'rate-recipient-receives-too-fast',
    class: 'rate_limited',
    text: either(
      /receiving mail (?:at a rate|too quickly)/,
      /recipient(?:'s)? (?:has exceeded|is over) (?:their |its )?(?:message )?(?:receiv\w{1,5} )?(?:rate|limit)/,
    ),
    examples: [
      '450-4.2.1 The user you are trying to contact is receiving mail too quickly.\r\n450 4.2.1 Please resend your message at a later time. - gsmtp',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\r\n550 5.2.1 prevents additional messages from being delivered. - gsmtp',
    ],
  },
  {
    id: 'rate-too-many',
    class: 'rate_limited',
    text: either(
      /too many (?:\S{1,20} ){0,3}(?:connections?|sessions|messages(?! (?:on|in|stored))|emails|mails|recipients|rcpt|errors|requests|commands|addresses|users)/,
      /too much (?:mail|traffic)/,
      /(?:connection|message|sending|recipient|mail|delivery) (?:rate|frequency|count) (?:limit|exceed|too high)/,
      /(?:number|amount|count) of (?:\S{1,20} )?(?:connections?|messages|e?-?mails?|recipients|rcpts?) (?:\S{1,20} ){0,3}(?:exceed|over|above|too)/,
    ),
    examples: [
      '550 RP:TRC the number of messages exceeds limit',

      '421 4.7.0 mx.example.com Error: too many errors',
      '452 4.5.3 Too many recipients',
      '421 too many connections from 192.0.2.7',
      '450 4.7.1 Error: too much mail from 192.0.2.7',
      '421 4.7.0 mx.example.net Connection rate limit exceeded.',
    ],
  },
  {
    // NetEase's limits of a connection, a sender or an address, by the code that stands before the words.
    id: 'rate-netease',
    class: 'rate_limited',
    text: /^(?:mi:(?:dmc|sfq|stc)|rp:(?:drc|qrc|trc|rcl)|hl:(?:icc|ifc|itc))\b/,
    examples: ['451 MI:SFQ 163 smtp7', '550 RP:QRC 126 mx1', '421 HL:ICC 163 mx4'],
  },
  {
    id: 'rate-throttled',
    class: 'rate_limited',
    text: either(
      /throttl|rate[- ]limit|frequency limited/,
      /exceeded (?:the |its |your )?(?:maximum |allowed )?(?:connection|message|sending|hourly|daily|rate) (?:limit|quota|rate)/,
      /try again (?:later )?.{0,20}slow(?:er| down)|slow down/,
    ),
    examples: [
      '451 4.3.2 Temporary server error. Please try again later ATTR5 - throttled',
      '550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&id=20022',
      '451 4.7.1 rate limited, slow down',
    ],
  },
];
