// Refusals of a mailbox that is there: full, disabled, held up by its own system, or closed to this sender. Read before
// the rows of unknown recipients, because the milder reading counts where a reply says both.

import { either, type BounceRule } from './rule.ts';

/** Rows about mailboxes that exist; none suppresses. */
export const MAILBOX_RULES: readonly BounceRule[] = [
  {
    id: 'mailer-program',
    class: 'remote_system',
    text: either(
      /procmail: |can't create (?:\(user\) )?output|couldn't create "|unknown mailer error|local delivery failed/,
      /command (?:died|failed|time limit)|\| ?"?\/usr\/|error writing message(?!: dis[ck] quota)/,
    ),
    examples: [
      `procmail: Couldn't create "/var/spool/mail/ann" id: mx.example.com: No such user`,
      'Command died with status 17: "/usr/sbin/filter"',
    ],
  },
  {
    id: 'full-system-disk',
    class: 'remote_system',
    text: either(
      /insufficient (?:system|disk)|(?:no|out of) (?:disk )?space (?:left )?on|disk (?:is )?full|system storage/,
      /not enough space on (?:the )?(?:disk|server|device)/,
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
      // A quota of our sending is among the rows of rates, which are read before.
      /(?<!sending |rate |daily |hourly )quota|over-?quota|overdrawn|mailbox full|full mailbox/,
      /(?:mailbox|inbox|mail box|maildrop|mail ?folder|account|store)(?: \S{1,80})?(?: for user| of the recipient)? (?:is |has been |are |was )?(?:over |too |almost )?full/,
      /(?:exceed(?:s|ed|ing)?|over|beyond|reached|insufficient|not enough|enough|out of|no more|limited|lack of) (?:\S{1,20} ){0,4}(?:storage|space)\b/,
      /(?:mailbox|mail box|inbox|maildir|account|user|mail file)(?: \S{1,80})? (?:size |storage )?(?:limit )?(?:would |has |is )?(?:exceed(?:s|ed|ing)?|over) (?:\S{1,20} ){0,3}(?:size|limit|storage|space)/,
      /mailbox size limit exceeded|storage allocation|space (?:has been |is |was )?(?:used up|not enough|full|exceeded)/,
      /too (?:many messages|much (?:mail|data)) (?:on|in|stored|data)|mailbox (?:would )?exceed/,
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
      'User mailbox exceeds allowed size: ann@example.com',
    ],
  },
  {
    id: 'locked-for-now',
    class: 'remote_system',
    text: /temporar(?:y|ily) (?:locked|disabled|suspended|unavailable|inactive|on hold|closed|rejected)/,
    examples: [
      '550 5.7.1 <ann@example.com>: Recipient address rejected: User ann@example.com temporary locked. Please try again later!',
      '450 4.2.1 Mailbox temporarily disabled',
    ],
  },
  {
    id: 'inactive-words',
    class: 'inactive_mailbox',
    text: either(
      /(?:mailbox|account|user|recipient|inbox)(?: \S{1,80})? (?:is |was |has been |currently ){0,3}(?:inactive|disabled|suspended|de-?activated|expired|discontinued|terminated|frozen|archived)/,
      // Not "user has blocked" and not "address is blocked": those speak about the sender.
      /(?:mailbox|account|inbox)(?: \S{1,80})? (?:is|was|has been) (?:blocked|locked|closed|cancell?ed)/,
      /(?:mailbox|account|user|recipient)(?: \S{1,80})? (?:is )?(?:not|no longer) active|you tried to reach is (?:inactive|disabled)/,
      /(?:disabled|inactive|suspended|expired|de-?activated|frozen) (?:recipient|account|mailbox|user)|\[suspend\]|extended inactivity/,
      /recipient suspend|mailbox (?:is )?not available|mailbox unavailable or access denied|not (?:been )?collected (?:after|for|in) \d/,
      /compte du destinataire est bloqu|bo[iî]te du destinataire archiv|over quota and inactive|konto niedost/,
      /(?:account|mailbox|user|recipient) (?:blocked|suspended|locked|closed) (?:due to|because|for|by)/,
      /заблокирован|аккаунт отключен|账号(?:已)?(?:停用|冻结)/,
      // An unknown user that is "disabled" as well: German, French, Spanish, Portuguese, Italian.
      /(?:konto|benutzer|empfänger|postfach|adresse) .{0,30}(?:gesperrt|deaktiviert|inaktiv|stillgelegt)/,
      /(?:compte|utilisateur|destinataire|adresse|bo[iî]te) .{0,30}(?:d[eé]sactiv|suspendue?|inacti|ferm[eé]e?\b)/,
      /(?:cuenta|usuario|destinatario|direcci[oó]n|buz[oó]n|conta|usu[aá]rio|destinat[aá]rio|caixa|endereço) .{0,30}(?:de[sz]activad|des?habilitad|desabilitad|desativad|suspendid|suspens[oa]|ina[ct]tiv|inativ|bloquead)/,
      /(?:utente|destinatario|casella|account|indirizzo) .{0,30}(?:disabilitat|disattivat|sospes[oa]|inattiv|bloccat)/,
    ),
    examples: [
      '550-5.2.1 The email account that you tried to reach is inactive. Learn more at\r\n550 5.2.1 https://support.google.com/mail/?p=DisabledUser - gsmtp',
      '550 5.2.1 The email account that you tried to reach is disabled.',
      '554 delivery error: dd Sorry your message to ann@yahoo.com cannot be delivered. This account has been disabled or discontinued [#102]. - mta1061.mail.ne1.yahoo.com',
      '550 Mailbox is frozen. See http://mail.i.ua/err/3/',
      '525 5.7.13 Disabled recipient address',
      '550 5.5.0 Le compte du destinataire est bloque. The recipient account is blocked. LPN007_426',
      '550 5.2.1 <ann@example.com>: Recipient address rejected: User account disabled.',
      '550 5.1.1 [SUSPEND] please contact correspondent directly',
    ],
  },
  {
    id: 'recipient-prefers',
    class: 'policy',
    text: either(
      /blocked senders?\b|manually blocked|user in blacklist/,
      /(?:blocked|rejected|refused|denied|filtered) by (?:the )?(?:recipient|user|addressee|administrator|owner)/,
      /recipient (?:has )?(?:blocked|rejects|refuses|does not want|doesn't accept|id refuse)|\bpreferences?\b/,
      /envelope blocked|anti-?spoofing|administrative prohibition|permitted senders|not accepting (?:mail|messages|any mail) from/,
      /not (?:on|in) (?:the |my |our )?(?:allow|white|safe|permitted|approved)[- ]?(?:ed)?[- ]?(?:senders?|list)|not pre-?approved|sender(?: \S{1,100})? (?:is )?not (?:on|in) /,
      /restricted|user reject|only accepting mail from|(?:is|are) not accepting (?:any )?mail|account is protected by/,
      /(?:blocked|do not accept|does not accept|don't accept) (?:mail |messages |e-?mail )?(?:from|with)\b|your? (?:are|have been) blocked/,
      /google groups|groups\.google\.com|members?[- ]only|non-?member|not (?:a member|subscribed)|closed (?:mailing )?list|moderat(?:ed|or)|organizational settings/,
      /requires? confirmation|confirm this mail server|not accept(?:ing)? (?:messages|mail) (?:containing|with)/,
    ),
    examples: [
      '550 Rejected by header based manually Blocked Senders: news@example.com',
      '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550',
      '550 Rejected by header based Anti-Spoofing policy: news@example.com - https://community.mimecast.com/docs/DOC-1369#550',
      '550 5.7.1 Message blocked by recipient',
      '550 5.1.1 The address you sent from is not subscribed to this group',
      "550 5.7.1 Sender not in recipient's whitelist",
      '550 5.7.1 <staff@example.com>: Recipient address rejected: Restricted address',
      '550 5.1.1 Refused due to recipient preferences',
      'the group you tried to contact may not exist, or you may not have permission. Google Groups',
    ],
  },
  {
    // Amazon SES receives for its customers, whose own rules choose the words of the refusal.
    id: 'ses-receipt-rule',
    class: 'policy',
    text: /^mailbox does not exist|^message rejected/,
    host: /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/,
    examples: ['550 5.1.1 Mailbox does not exist'],
  },
];
