// Refusals of the recipient: full, disabled, unknown, and domains that are not there. The only rows that may
// suppress, so their words are narrow: a plain "rejected" or "unavailable" is not among them.

import { either, type BounceRule } from './rule.ts';

/** Rows about the recipient, read after those about us. */
export const RECIPIENT_RULES: readonly BounceRule[] = [
  {
    id: 'full-system-disk',
    class: 'remote_system',
    text: either(
      /insufficient (?:system|disk)|(?:no|not enough|out of) (?:disk )?space (?:left )?on/,
      /disk (?:is )?full|system storage/,
    ),
    examples: [
      '452 4.3.1 Insufficient system storage',
      '452 4.4.5 Insufficient disk space; try again later',
      '452 4.3.1 Insufficient system resources (UsedDiskSpace[C:\\Exchange])',
    ],
  },
  {
    id: 'full-words',
    class: 'mailbox_full',
    text: either(
      /(?:mailbox|inbox|mail box|maildrop|mailfolder|account)(?: \S{1,80})?(?: for user| of the recipient)? (?:is |has been |are )?(?:over |too )?full/,
      /mailbox full|full mailbox|over ?(?:the |its |disk |mail )?quota|quota ?exceeded/,
      /exceed(?:s|ed|ing)? (?:(?:the|its|their|his|mailbox|storage|disk|mail|allowed|allotted|user) ){0,3}(?:quota|storage|space)/,
      /disk quota|out of storage|not enough (?:storage|mailbox|disk) ?space/,
      /insufficient (?:mailbox |storage )?(?:storage|space|quota)|mailbox (?:size )?(?:limit )?exceed/,
      /quota (?:full|violation|has been reached)|storage allocation|quota is full/,
      /mapiexceptionshutoffquota|user is overdrawn/,
    ),
    examples: [
      '552 5.2.2 <ann@icloud.com>: user is over quota',
      "452-4.2.2 The recipient's inbox is out of storage space. Please direct the\r\n452-4.2.2 recipient to\r\n452 4.2.2 https://support.google.com/mail/?p=OverQuotaTemp - gsmtp",
      "552-5.2.2 The recipient's inbox is out of storage space and inactive. Please\r\n552 5.2.2 direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp",
      '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
      '552 5.2.2 <ann@example.com> Quota exceeded (mailbox for user is full)',
      '552 sorry, mailbox ann@example.com is over quota temporarily (#5.1.1)',
      '552 Requested mail action aborted: exceeded storage allocation',
      '550 5.2.2 <ann@example.com>... Mailbox Full',
      '522 5.2.0 Delivery failed: Over quota',
    ],
  },
  {
    id: 'locked-for-now',
    class: 'remote_system',
    text: /(?:temporar(?:y|ily)) (?:locked|disabled|suspended|unavailable|inactive|on hold|closed)/,
    examples: [
      '550 5.7.1 <ann@example.com>: Recipient address rejected: User ann@example.com temporary locked. Please try again later!',
      '450 4.2.1 Mailbox temporarily disabled',
    ],
  },
  {
    id: 'inactive-words',
    class: 'inactive_mailbox',
    text: either(
      /(?:mailbox|account|user|recipient|inbox)(?: \S{1,80})? (?:is |was |has been )?(?:currently )?(?:inactive|disabled)/,
      /(?:mailbox|account|user|recipient|inbox)(?: \S{1,80})? (?:is |was |has been )?(?:suspended|deactivated|expired)/,
      /(?:mailbox|account|user|recipient|inbox)(?: \S{1,80})? (?:is|was|has been) (?:discontinued|terminated|frozen)/,
      // Not "user has blocked" and not "address is blocked": those speak about the sender.
      /(?:mailbox|account|inbox)(?: \S{1,80})? (?:is|was|has been) (?:blocked|locked|closed|cancell?ed)/,
      /(?:mailbox|account|user|recipient)(?: \S{1,80})? (?:is )?(?:not|no longer) active/,
      /you tried to reach is (?:inactive|disabled)/,
      /(?:disabled|inactive|suspended|expired|deactivated) (?:recipient|account|mailbox|user)/,
      /compte du destinataire est bloque|over quota and inactive/,
    ),
    examples: [
      '550-5.2.1 The email account that you tried to reach is inactive. Learn more at\r\n550 5.2.1 https://support.google.com/mail/?p=DisabledUser - gsmtp',
      '550 5.2.1 The email account that you tried to reach is disabled.',
      '554 delivery error: dd Sorry your message to ann@yahoo.com cannot be delivered. This account has been disabled or discontinued [#102]. - mta1061.mail.ne1.yahoo.com',
      '550 Mailbox is frozen. See http://mail.i.ua/err/3/',
      '525 5.7.13 Disabled recipient address',
      '550 5.5.0 Le compte du destinataire est bloque. The recipient account is blocked. LPN007_426',
      '550 5.2.1 <ann@example.com>: Recipient address rejected: User account disabled.',
    ],
  },
  {
    id: 'null-mx-words',
    class: 'null_mx',
    text: either(
      /null ?mx/,
      /(?:host|domain|server) (?:\S{1,80} )?(?:does not|doesn't|never) (?:accept|receive|send or receive) (?:any )?(?:e-?mail|mail|messages)/,
      /accepts? no (?:e-?mail|mail)/,
    ),
    examples: [
      '556 5.1.10 Recipient address has null MX',
      '550 Host does not accept mail',
      '521 5.3.2 server does not accept mail',
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
    text: /mailbox unavailable.{0,20}for explanation visit/,
    examples: [
      '550-Requested action not taken: mailbox unavailable\r\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.7',
    ],
  },
  {
    id: 'unknown-yahoo',
    class: 'invalid_recipient',
    text: /user doesn't have an? \S{1,60} account|mailbox does(?:n't| not) exist.{0,20}yahoo/,
    examples: [
      "554 delivery error: dd This user doesn't have a yahoo.com account (nobody@yahoo.com) [0] - mta1061.mail.ne1.yahoo.com",
    ],
  },
  {
    id: 'unknown-gmail',
    class: 'invalid_recipient',
    text: /account that you tried to reach does not exist/,
    examples: [
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient's email address for typos or\r\n550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser - gsmtp",
    ],
  },
  {
    id: 'unknown-exchange-resolver',
    class: 'invalid_recipient',
    text: either(
      /recip(?:ient)?notfound|recipient not found|resolver\.adr\.(?:exrecip|bad|invalid)/,
      /unknown recipient or mailbox unavailable/,
    ),
    examples: [
      '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 rejected',
    ],
  },
  {
    id: 'unknown-exchange-edge',
    class: 'invalid_recipient',
    enhanced: /^5\.4\.1$/,
    text: /recipient address rejected: access denied/,
    examples: [
      '550 5.4.1 Recipient address rejected: Access denied. [BL2NAM02FT061.eop-nam02.prod.protection.outlook.com]',
    ],
  },
  {
    id: 'unknown-outlook-mailbox-unavailable',
    class: 'invalid_recipient',
    code: /^550$/,
    text: /^requested (?:mail )?action not taken: mailbox unavailable/,
    examples: [
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [CO1NAM11FT064.eop-nam11.prod.protection.outlook.com]',
      '550 5.1.1 Requested action not taken: mailbox unavailable',
    ],
  },
  {
    id: 'unknown-user-words',
    class: 'invalid_recipient',
    text: either(
      /(?:user|recipient|mailbox|account|alias|addressee)(?: \S{1,100}:?)? (?:is |was |name )?(?:unknown|not found)/,
      /(?:user|recipient|mailbox|account|alias|addressee)(?: \S{1,100}:?)? (?:is |was )?(?:not known|not exist)/,
      /(?:user|recipient|mailbox|account|alias)(?: \S{1,100}:?)? (?:is |was )?(?:not recogni[sz]ed|non-?existent)/,
      /(?:user|recipient|mailbox|account|alias|email)(?: \S{1,100})? (?:does not|doesn't|do not|don't) exist/,
      // "IP address not found" is about us.
      /(?<!ip )address(?: \S{1,100}:?)? (?:is |was )?(?:unknown|not found|not known|does not exist|doesn't exist)/,
      /(?:unknown|no such|non-?existent) (?:or illegal )?(?:local |virtual |e-?mail )?(?:user|recipient|mailbox)/,
      /(?:unknown|no such|non-?existent) (?:or illegal )?(?:account|address|alias|person|addressee|local[- ]part)/,
    ),
    examples: [
      '550 5.1.1 <nobody@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
      '450 4.1.1 <nobody@example.com>: Recipient address rejected: User unknown in local recipient table',
      '550 5.1.1 <nobody@example.com>... User Unknown',
      '550 Unknown user nobody@example.com',
      '550 5.1.1 unknown or illegal alias: nobody@me.com',
      '550 5.1.1 <nobody@icloud.com>: user does not exist',
      '550 No such user here',
      '550 5.1.1 Mailbox does not exist',
    ],
  },
  {
    id: 'unknown-invalid-words',
    class: 'invalid_recipient',
    text: either(
      /(?:invalid|illegal|bad) (?:recipient|mailbox|user|destination mailbox|rcpt|to address)/,
      /(?:recipient|mailbox|user|addressee)(?: \S{1,100})? (?:is )?(?:invalid|not valid|not a valid)/,
      /not a valid (?:recipient|mailbox|user|address)/,
      /no (?:mailbox|user|account) (?:here )?(?:by|with|of) (?:that|this) name|no valid recipients?/,
      /destinataire(?:s)? (?:invalide|inconnu)|email address could not be found/,
      /unable to find (?:the )?(?:recipient|user)|not (?:our|a) (?:customer|known user)/,
      /couldn't find (?:any )?(?:user|mailbox)|not listed in .{0,30}(?:directory|address book)/,
    ),
    examples: [
      '550 sorry, no mailbox here by that name. (#5.1.1)',
      '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
      '553 Invalid recipient nobody@example.com (Mode: normal)',
      '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550',
      '550 5.1.1 User nobody (nobody@example.com) not listed in Domino Directory',
      '550 5.1.1 No valid recipients',
    ],
  },
  {
    id: 'unknown-moved',
    class: 'invalid_recipient',
    text: either(
      /(?:recipient|user|mailbox|account|address)(?: \S{1,80})? (?:is )?no longer (?:on|valid|exist|available|work|in use|with)/,
      /has moved|mailbox moved|user not local|forwarding address|no longer on (?:this )?server/,
    ),
    examples: [
      '550 5.1.6 recipient no longer on server: ann@me.com',
      '551 User not local; please try <ann@example.net>',
      '550 5.1.6 Destination mailbox has moved, No forwarding address',
    ],
  },
  {
    id: 'unknown-exim-unrouteable',
    class: 'invalid_recipient',
    text: /unrout(?:e)?able address/,
    examples: [
      '550 Unrouteable address',
      '550-Verification failed for <nobody@example.com>\r\n550 Unrouteable address',
    ],
  },
  {
    id: 'domain-lookup-failed',
    class: 'dns_failure',
    text: either(
      /host not found, try again|malformed or unexpected name server reply/,
      /(?:dns|name service|domain name|mx) (?:lookup|query|server|resolution|record)?s? ?(?:failed|failure|error(?! for name=\S{1,253} type=\w{1,6}: host not found)|timed out|problem)/,
      /all relevant mx records point to non-existent|mail for \S{1,100} loops back/,
      /can(?:no|')t (?:resolve|look up|find) (?:mx|domain|host|dns)|no mx (?:record|host)/,
      /could ?n.t be (?:resolved|looked up)/,
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
      /host unknown|unknown (?:host|domain)|host (?:or domain name )?not found/,
      /(?:no such|non-?existent|invalid|unknown) (?:host|domain)/,
      /domain(?: name)?(?: \S{1,100})? (?:does not|doesn't|not) (?:exist|found)/,
      /\S{1,100}\.\S{2,20} does not exist|unrout(?:e)?able mail domain/,
      /bad destination (?:system|host|mailbox system)/,
    ),
    examples: [
      '550 5.1.2 <ann@no-such.example>... Host unknown (Authoritative answer from name server)',
      'Host or domain name not found. Name service error for name=no-such.example type=A: Host not found',
      'ann@no-such.example: Domain does not exist',
      '553 no-such.example.com does not exist',
      'Unrouteable mail domain "no-such.example"',
    ],
  },
];
