// Refusals of the recipient: nobody of that name, and hosts that take no mail. The only rows that suppress, so their
// words name a person or a mailbox and say that it is not there: a plain "rejected" or "unavailable" is not among them.

import { either, type BounceRule } from './rule.ts';

const WHO = String.raw`(?:users?|user ?names?|user ?id|recipients?|mail-?box(?:es)?|mail box|accounts?|alias(?:es)?|addressees?|rcpt|persons?|e-?mail (?:address|account|name)|(?<!ip )(?:destination )?address(?:es)?|employee|member|spectator)`;
const IT = String.raw`(?: \S{1,100}:?)?`; // the name or the address, as the server writes it
// Not just any word: "no authorized user" and "not a trusted account" speak about us.
const OF = String.raw`(?:(?:local|virtual|valid|known|existing|registered|legal|current|real|active|such|destination|final|final delivery|target|envelope|delivery|mail|e-?mail|smtp|internet|system|recipient|to|user|or illegal|or unknown|or invalid) ){0,2}`;

/** Rows about a recipient that is not there, read after those about us and about mailboxes that exist. */
export const RECIPIENT_RULES: readonly BounceRule[] = [
  {
    id: 'null-mx-words',
    class: 'null_mx',
    text: either(
      /null ?mx|no mx (?:record )?found for domain|no valid mx hosts? found|mail receiving disabled|indicated no smtp/,
      /(?:host|domain|server) (?:\S{1,80} )?(?:does not|doesn't|never) (?:accept|receive|send or receive) (?:any )?(?:e-?mail|mail|messages)(?! (?:from|for|at|with|containing|larger|bigger|over|of|that|without|via|on|right|until|currently))/,
      /accepts? no (?:e-?mail|mail)(?! (?:from|for|at|with|without|over|right|until|currently))|couldn't find a mail exchanger or ip address/,
    ),
    examples: [
      '556 5.1.10 Recipient address has null MX',
      '550 Host does not accept mail',
      '521 5.3.2 server does not accept mail',
      "Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)",
    ],
  },
  {
    // A host that could not verify the address says nothing about it, whatever its code.
    id: 'unverified-for-now',
    class: 'remote_system',
    text: either(
      /(?:temporarily|currently|right now).{0,20} (?:unable|not able|impossible|cannot|could not).{0,20} verif(?:y|ied)/,
      /(?:unable to|cannot|can't|can not|could not|couldn't|not) (?:be )?verif(?:y|ied).{0,60}(?:temporar|currently|at (?:this|the) (?:time|moment)|right now|timed? ?out|try (?:again )?later)/,
      /verification (?:has |is |was )?(?:temporarily (?:failed|unavailable)|timed? ?out|(?:failed|impossible|unavailable).{0,40}(?:temporar|at (?:this|the) (?:time|moment)|right now|later))/,
      /(?:unable to reach|no answer from|timed? ?out).{0,40}verif(?:y|ication)/,
    ),
    examples: [
      '550 5.1.1 Temporarily unable to verify recipient',
      '550 5.1.1 recipient cannot be verified at this time',
    ],
  },
  {
    id: 'unverified-recipient',
    class: 'remote_system',
    text: either(
      /unverified address|address verification (?:in progress|failed)/,
      /could not (?:complete|verify) (?:recipient|callout)|callout (?:verification|failed)/,
    ),
    code: /^4/,
    examples: [
      '450 4.1.1 <ann@example.com>: Recipient address rejected: unverified address: Address verification in progress',
      '451 Could not complete recipient verify callout',
    ],
  },
  {
    id: 'gmx-explained',
    class: 'policy',
    text: /mailbox unavailable.{0,160}(?:for explanation visit|due to policy)/,
    examples: [
      '550-Requested action not taken: mailbox unavailable\r\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.7',
      '550-Requested action not taken: mailbox unavailable\r\n550-Reject due to policy restrictions.\r\n550 For explanation visit https://postmaster.gmx.net/en/error-messages?ip=192.0.2.7&c=hi',
      '550-Requested action not taken: mailbox unavailable\r\n550-invalid DNS MX or A/AAAA resource record.\r\n550 For explanation visit https://www.gmx.net/mail/senderguidelines?c=mxdns',
    ],
  },
  {
    id: 'unknown-no-account',
    class: 'invalid_recipient',
    text: /(?:doesn't|does not|don't) have an? \S{1,60} account/,
    looksUpLate: true,
    examples: [
      "554 delivery error: dd This user doesn't have a yahoo.com account (nobody@yahoo.com) [0] - mta1061.mail.ne1.yahoo.com",
    ],
  },
  {
    id: 'unknown-late', // mail.ru and mail.com
    class: 'invalid_recipient',
    text: either(
      /message was not accepted -- invalid mailbox\..{0,40}local mailbox \S{1,320} is unavailable: user not found/,
      /^(?:\d )?requested mail action aborted, mailbox not found/,
    ),
    looksUpLate: true,
    sentence: true,
    examples: [
      '550 Message was not accepted -- invalid mailbox. Local mailbox nobody@example.com is unavailable: user not found',
      '552 1 Requested mail action aborted, mailbox not found',
    ],
  },
  {
    id: 'unknown-exchange',
    class: 'invalid_recipient',
    text: either(
      /recip(?:ient)?notfound|resolver\.adr\.(?:exrecip|bad|invalid)|unknown recipient or mailbox unavailable/,
    ),
    examples: [
      '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 rejected',
    ],
  },
  {
    id: 'unknown-sentence',
    class: 'invalid_recipient',
    sentence: true,
    text: either(
      /recipient name is not recogni[sz]ed|not listed in .{0,40}(?:directory|address book)|(?:domino|ディレクトリ).{0,120}(?:見つかりません|にありません)/,
      new RegExp(
        `\\bthe(?:se)? ${WHO}(?: above| specified| you entered)?${IT} (?:could not be|couldn't be|cannot be|was not|is not) (?:found|located|known)`,
      ),
      new RegExp(
        `\\b(?:this|that|the|your) ${OF}${WHO} (?:is wrong|does not exist|doesn't exist|is not valid|is invalid|no longer exists)`,
      ),
      new RegExp(`\\bno ${OF}${WHO} (?:here )?(?:by|with|of) (?:that|this) name|\\bno ${WHO} by the name`),
      new RegExp(`\\bnot (?:a|an) (?:valid|known|existing) ${WHO} (?:here|of|on|at)`),
      /no such (?:user|mailbox|person|recipient|account|alias) (?:here|at this|on this|in this)|no one (?:here|at this address|by that name)/,
      /(?<![a-z] )\(?\buser (?:unknown|not found)\)|\blocal (?:user|mailbox)\b.{0,120}(?:unknown|not found|not known)/,
      /invalid final delivery userid|^\W*unrout(?:e)?able address|no valid recipients? (?:for this|were found)|mail\.local: unknown user/,
      /wrong or no longer valid|no matches to nameserver|did not (?:exactly )?match an? .{0,30}address|n['’]existe pas/,
    ),
    examples: [
      '550 5.1.1 User nobody (nobody@example.com) not listed in Domino Directory',
      'The recipient name is not recognized',
      "Your message wasn't delivered because the address couldn't be found, or is unable to receive mail.",
      '550 sorry, no mailbox here by that name. (#5.1.1)',
      'Invalid final delivery userid: ann@example.com',
      '550 No such user here',
      '550 Unrouteable address',
    ],
  },
  {
    // Directory-based edge blocking: learn.microsoft.com says that this text with this code means no such recipient.
    id: 'unknown-exchange-edge',
    class: 'invalid_recipient',
    enhanced: /^5\.4\.1$/,
    text: /recipient address rejected: access denied/,
    examples: [
      '550 5.4.1 Recipient address rejected: Access denied. [BL2NAM02FT061.eop-nam02.prod.protection.outlook.com]',
    ],
  },
  {
    id: 'unknown-mailbox-unavailable', // RFC 5321 section 4.2.3, where nothing else is said
    class: 'invalid_recipient',
    code: /^550$/,
    text: /^(?:requested (?:mail )?action not taken: )?mailbox(?: \S{1,320})? (?:is )?unavailable/,
    examples: [
      '550 mailbox unavailable',
      '550 mailbox nobody@example.com unavailable',
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [CO1NAM11FT064.eop-nam11.prod.protection.outlook.com]',
      '550 5.1.1 Requested action not taken: mailbox unavailable',
    ],
  },
  {
    id: 'unknown-mailgun', // no route of the receiving domain takes the address
    class: 'invalid_recipient',
    enhanced: /^5\.0\.1$/,
    text: /^recipient rejected\W*$/,
    examples: ['550 5.0.1 Recipient rejected'],
  },
  {
    id: 'unknown-non-local', // the host asked that of the recipient, and was refused
    class: 'invalid_recipient',
    text: /non-local recipient verification failed/,
    examples: ['550 non-local recipient verification failed'],
  },
  {
    id: 'domain-of-recipient',
    class: 'invalid_domain',
    text: /(?<!host or )domain(?: name)?(?: [^@ ]{1,100})? (?:does not|doesn't|not) (?:exist|found)|unknown domain|no such domain/,
    examples: ['ann@no-such.example: Domain does not exist', '550 No such domain at this location'],
  },
  {
    id: 'unknown-words', // "user … unknown", "recipient was not found", "address does not exist"
    class: 'invalid_recipient',
    text: either(
      new RegExp(
        `${WHO}${IT} (?:is |was |are |were |name ){0,2}(?:unknown|not ?found|not known|not exists?|not recogni[sz]ed|not registered|not ok|non[- ]?existent|not present|not located|undefined|invalid|not valid|not a valid)`,
      ),
      new RegExp(
        `${WHO}${IT} (?:cannot|could not|couldn't|can't|can not) be (?:found|located|resolved|recogni[sz]ed)`,
      ),
      new RegExp(`${WHO}${IT} (?:does not|doe?sn'?t|do not|don'?t|did not|didn'?t) (?:exist|match)`),
      /account that you tried to reach does not exist|e-?mail (?:does not|doesn't) exist|@[^\s@]{1,100} (?:(?:does not|doesn't|not) exist|(?:is |was )?(?:not found|unknown))|user-?unknown|not found.{0,20}mailbox/,
    ),
    examples: [
      '550 5.1.1 <nobody@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
      '450 4.1.1 <nobody@example.com>: Recipient address rejected: User unknown in local recipient table',
      '550 5.1.1 <nobody@example.com>... User Unknown',
      '550 5.1.1 <nobody@icloud.com>: user does not exist',
      '550 5.1.1 Mailbox does not exist',
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient's email address for typos or\r\n550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser - gsmtp",
    ],
  },
  {
    id: 'unknown-words-before', // "unknown user", "no such person", "invalid recipient"
    class: 'invalid_recipient',
    text: either(
      new RegExp(`(?:unknown|no such|non[- ]?existent|invalid|illegal|incorrect|wrong) ${OF}${WHO}`),
      new RegExp(
        `\\bbad[ _](?:destination )?(?:rcpt|recipient|mailbox|user|address)|bad ?rcpt ?to|badrecipientto|to address (?:invalid|unknown)`,
      ),
      new RegExp(`\\bno ${OF}${WHO}(?: here)? (?:here|by|with|of|at|found|available|for|in|named) `),
      new RegExp(`\\bno ${OF}${WHO} (?:here|found|available)`),
      new RegExp(`\\bnot (?:a|an|our|in|known) ${OF}(?:${WHO}|customer)`),
      /not (?:present )?in (?:\S{1,12} ){0,3}(?:directory|list of users|validrcptto)/,
      /(?:unable to|could not|couldn't|can't|cannot) (?:find|locate|resolve) (?:the |any )?(?:recipient|user|mailbox|person)(?! domain)/,
      /unknown (?:local[- ]part|e-?mail)|unrout(?:e)?able address|no valid recipients?|user missing home|(?:can't|cannot|do not|does not) accept user|not email address|\bno \S{1,80} in (?:\S{1,12} ){0,2}directory/,
    ),
    examples: [
      '550 Unknown user nobody@example.com',
      '550 5.1.1 unknown or illegal alias: nobody@me.com',
      '553 Invalid recipient nobody@example.com (Mode: normal)',
      '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550',
      '550 5.1.1 No valid recipients',
    ],
  },
  {
    id: 'unknown-moved',
    class: 'invalid_recipient',
    text: either(
      new RegExp(`${WHO}${IT} (?:is )?no longer (?:on|valid|exists?|available|works?|in use|with|accepts)`),
      /has moved|mailbox moved|not local\b|not a local|forwarding address|no longer on (?:this )?server|(?:wrong|incorrect) or no longer valid/,
    ),
    examples: [
      '550 5.1.6 recipient no longer on server: ann@me.com',
      '551 User not local; please try <ann@example.net>',
      '550 5.1.6 Destination mailbox has moved, No forwarding address',
    ],
  },
];
