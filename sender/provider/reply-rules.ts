// What a mailbox provider's reply asks of us, beside what it says of one message. One row per kind of reply, in the spirit of
// KumoMTA's traffic shaping automation (docs/deliverability.md has the sources); the first row that fits decides.
//
// Only replies about our pace or our address as a whole stand here: one about a recipient who gets too much mail, or about
// one message's content, must not slow down everybody else.

import { MAX_CLASSIFIED_CHARS } from '../../core/mail/bounce/classify-bounce.ts';
import { either } from '../../core/mail/bounce/rule.ts';
import type { Reply } from '../../core/mail/smtp-reply.ts';

/** What to do: fewer connections, fewer messages a minute, or nothing at all for so many minutes. */
export type ReplyAction = { kind: 'connections' } | { kind: 'rate' } | { kind: 'suspend'; minutes: number };

/** One row. Every condition given must hold; `text` is matched in lower case with single spaces, without the codes. */
export interface ReplyRule {
  id: string;
  /** Providers whose words these are; everybody's when it is left out. */
  providers?: readonly string[];
  code?: RegExp;
  text: RegExp;
  action: ReplyAction;
  /** Replies as they arrive; each hits this row and no earlier one. */
  examples: readonly string[];
}

const CONNECTIONS: ReplyAction = { kind: 'connections' };
const RATE: ReplyAction = { kind: 'rate' };
const suspend = (minutes: number): ReplyAction => ({ kind: 'suspend', minutes });

/** The rows: one provider's own words first. */
export const REPLY_RULES: readonly ReplyRule[] = [
  {
    id: 'yahoo-suspends-long',
    providers: ['yahoo', 'yahoo-japan'],
    text: /^\[(?:tss|ipts)05\]/,
    action: suspend(240),
    examples: [
      '421 4.7.0 [TSS05] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
    ],
  },
  {
    id: 'yahoo-suspends',
    providers: ['yahoo', 'yahoo-japan'],
    text: /^\[(?:tss|ipts|ts)0[14]\]|^\[bl2\d\]/,
    action: suspend(120),
    examples: [
      '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
      '421 4.7.0 [TS01] Messages from 192.0.2.25 temporarily deferred due to user complaints - 4.16.55.1',
      "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.25, because the ip is in Spamhaus's list; see http://postmaster.yahoo.com/550-bl23.html",
    ],
  },
  {
    id: 'yahoo-slows',
    providers: ['yahoo', 'yahoo-japan'],
    text: /^\[ts0[23]\]|max messages? per connection reached/,
    action: RATE,
    examples: [
      '421 4.7.1 [TS03] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See http://postmaster.yahoo.com/421-ts03.html',
      '421 Max message per connection reached, closing transmission channel',
    ],
  },
  {
    id: 'microsoft-rate-limited',
    providers: ['outlook', 'microsoft365'],
    text: /temporarily rate limited due to ip reputation/,
    action: suspend(30),
    examples: [
      '451 4.7.650 The mail server [192.0.2.25] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)',
    ],
  },
  {
    id: 'microsoft-block-list',
    providers: ['outlook', 'microsoft365'],
    text: /part of their network is on our block list/,
    action: suspend(120),
    examples: [
      "550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.",
    ],
  },
  {
    id: 'microsoft-busy',
    providers: ['outlook', 'microsoft365'],
    code: /^4/,
    text: /server busy\. please try again later|access denied, please try again later/,
    action: suspend(15),
    examples: [
      '451 4.7.500 Server busy. Please try again later from [192.0.2.25]. (S77719) [AM0PR04MB1234.eurprd04.prod.outlook.com]',
      '451 4.7.550 Access denied, please try again later. (AS77719)',
    ],
  },
  {
    id: 'icloud-deferred',
    providers: ['icloud'],
    code: /^4/,
    text: /^\[hcm?\d\] your mail from .{0,60}was deferred|^\[bs02\] temporary server error/,
    action: suspend(15),
    examples: [
      '421 [HCM1] Your mail from 192.0.2.25 was deferred.',
      '451 [BS02] Temporary server error. Please try again later.',
    ],
  },
  {
    id: 'gmail-slowed',
    providers: ['gmail'],
    code: /^4/,
    text: /unusual rate of unsolicited mail|very low reputation of the sending/,
    action: RATE,
    examples: [
      '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating\r\n421-4.7.28 from your IP address. To protect our users from spam, mail sent from\r\n421 4.7.28 your IP address has been slowed. - gsmtp',
      '421-4.7.0 [192.0.2.25      15] Our system has detected that this message is\r\n421-4.7.0 suspicious due to the very low reputation of the sending IP address.\r\n421-4.7.0 To protect our users from spam, mail sent from your IP address has\r\n421 4.7.0 been temporarily rate limited. - gsmtp',
    ],
  },
  {
    id: 'gmail-closes',
    providers: ['gmail'],
    code: /^421$/,
    text: /^(?:try again later, closing connection|server busy, try again later|temporary system problem)/,
    action: RATE,
    examples: [
      '421 4.7.0 Try again later, closing connection. (EHLO) gx14-20020a1709068a4e00b009a1be4d5a6csi123456 - gsmtp',
      '421 4.4.5 Server busy, try again later.',
    ],
  },
  {
    id: 'qq-frequency',
    providers: ['qq'],
    text: /^(?:ip|connection|domain|sender) frequency limited/,
    action: suspend(60),
    examples: [
      '550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000725',
    ],
  },
  {
    id: 'netease-day-is-full',
    providers: ['netease'],
    text: /^(?:rp:orq|hl:itc)/,
    action: suspend(60),
    examples: [
      '554 HL:ITC 163 smtp10,PMCowABH 1454401234 http://mail.163.com/help/help_spam_16.htm?ip=192.0.2.25&hostid=smtp10&time=1454401234',
    ],
  },
  {
    id: 'too-many-connections',
    text: either(
      /too many (?:\S{1,20} ){0,3}(?:connections?|sessions)/,
      /(?:exceeded|exceeds?) (?:the )?(?:max\w{0,4} )?(?:number of )?(?:concurrent |simultaneous )?connections/,
      /(?:concurrent|simultaneous) connections? (?:limit|exceeded)|connection limit (?:exceeded|reached)/,
      /maximum number of concurrent connections|trop de connexions/,
    ),
    action: CONNECTIONS,
    examples: [
      '421 4.7.0 Too many concurrent SMTP connections from this IP address; please try again later.',
      '421 too many connections from 192.0.2.7',
      '421 4.3.2 The maximum number of concurrent connections has exceeded a limit, closing transmission channel',
      "421 RP-001 (SNT004-MC2F40) Unfortunately, some messages from 192.0.2.25 weren't sent. Please try again. The mail server has exceeded the maximum number of connections.",
      '452 4.3.2 Connection refused from 192.0.2.25 due to exceed max concurrent connections. IB007',
      '421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]',
    ],
  },
  {
    id: 'rate-limit',
    code: /^4/,
    text: either(
      /(?:connection|message|sending|mail|delivery|traffic) (?:rate|frequency|volume) (?:limit|exceed|too high)/,
      /rate[- ]limit|throttl|slow(?:ed)? down|too much (?:mail|traffic)/,
      /too many (?:messages|mails|emails|requests)(?! (?:on|in|stored|for))|too many (?:messages|mails) (?:for|in) this session/,
      /(?:all )?messages from \S{1,60} (?:will be |are )?(?:temporarily|permanently) deferred/,
    ),
    action: RATE,
    examples: [
      '451 4.7.1 rate limited, slow down',
      '421 4.7.0 mx.example.net Connection rate limit exceeded.',
      '450 4.7.1 Error: too much mail from 192.0.2.7',
      '451 4.3.2 Temporary server error. Please try again later ATTR5 - throttled',
      '421 Too many messages for this session',
      '421 4.7.0 Messages from 192.0.2.25 temporarily deferred due to user complaints',
    ],
  },
];

/** What a refusal of a provider asks for; null when it speaks about the message alone. Linear in the text, which is cut. */
export function actionOf(provider: string, reply: Pick<Reply, 'code' | 'text'>): ReplyAction | null {
  return ruleOf(provider, reply)?.action ?? null;
}

/** The row that fits, if any. */
export function ruleOf(provider: string, { code, text }: Pick<Reply, 'code' | 'text'>) {
  const said = text.slice(0, MAX_CLASSIFIED_CHARS).toLowerCase().replace(/\s+/g, ' ').trim();
  return REPLY_RULES.find(
    (rule) =>
      (rule.providers?.includes(provider) ?? true) &&
      (rule.code?.test(String(code)) ?? true) &&
      rule.text.test(said),
  );
}
