// Refusals of this message: malware, size, spam, form and local rules.

import { either, type BounceRule } from './rule.ts';

/** Rows about the message itself, read after those about sender and recipient. */
export const CONTENT_RULES: readonly BounceRule[] = [
  {
    id: 'virus-words',
    class: 'virus',
    text: /\bvirus|malware|infected|trojan|phish|\bclamav|malicious/,
    examples: [
      '550 Virus Detected; Content Rejected',
      '554 5.7.1 Message rejected: Eicar-Test-Signature infected',
      '550 5.7.1 This message contains malware',
      '554 Email rejected due to security policies - Phishing link, see https://community.mimecast.com/docs/DOC-1369#554',
    ],
  },
  {
    id: 'size-words',
    class: 'message_too_large',
    text: either(
      /(?:message|mail|e-?mail|content|data|header|attachment)s?(?: file)?(?: size| length)?(?: of \S{1,30})?(?: \(\S{1,40}\))? (?:is |was |are )?(?:too (?:big|large|long)|exceed(?:s|ed)?)/,
      /size (?:limit|exceed)|exceed(?:s|ed)? (?:\S{1,20} ){0,4}(?:message )?(?:size|length)/,
      /too large for (?:this |the )?(?:recipient|host|mailbox)|maximum message size/,
      /over the maximum (?:allowed )?size/,
    ),
    examples: [
      "552-5.3.4 Your message exceeded Google's message size limits. To learn more\r\n552 5.3.4 visit https://support.google.com/mail/?p=MaxSizeError - gsmtp",
      '552 5.3.4 Message size exceeds fixed limit',
      '552 5.2.3 Message length exceeds administrative limit',
      '554 5.2.3 message too large',
      '550 5.3.4 Requested action not taken; message size exceeds maximum message size',
    ],
  },
  {
    id: 'content-attachment',
    class: 'content_rejected',
    text: either(
      /potential security issue/,
      /(?:attachment|file)s?(?: \S{1,60})?(?: type| name| extension)? (?:is |are |was |has been )?(?:not allowed|blocked|rejected|forbidden|prohibited|denied)/,
      /(?:forbidden|prohibited|banned|dangerous|illegal|blocked|executable) (?:attachment|file|extension|content type)/,
      /banned (?:name|extension)/,
    ),
    examples: [
      '552-5.7.0 This message was blocked because its content presents a potential\r\n552 5.7.0 security issue. Please visit https://support.google.com/mail/?p=BlockedMessage - gsmtp',
      '554 5.7.1 File type not allowed: setup.exe',
      '550 5.7.1 Banned extension found',
    ],
  },
  {
    id: 'content-form',
    class: 'content_rejected',
    text: either(
      /duplicate header|header (?:error|is missing|missing|syntax|field)/,
      /(?:invalid|missing|malformed|multiple|bad) (?:or multiple )?(?:\S{1,12} )?(?:header|message-?id|date|from:|from header)/,
      /multiple addresses in from|not (?:rfc|compliant with rfc)|rfc ?(?:2822|5322|5321|822)/,
      /8-?bit data|bare (?:lf|cr|newline|linefeed)/,
      /(?:mime|media|conversion) (?:error|required|structure)|line (?:limit exceeded|too long|length)/,
      /lines? longer than|improper use of 8/,
    ),
    examples: [
      "554 Transaction failed: Duplicate header 'Subject'.",
      '550-5.7.1 [192.0.2.7] Messages missing message-id are not\r\n550 5.7.1 accepted. - gsmtp',
      '550-5.7.1 Messages with multiple addresses in From:\r\n550 5.7.1 header are not accepted. - gsmtp',
      '550 5.6.11 SMTPSEND.BareLinefeedsAreIllegal; message contains bare linefeeds, which cannot be sent via DATA',
      '550 5.6.9 improper use of 8-bit data in message header',
      '554 5.7.0 Header error',
      '500 Line limit exceeded',
    ],
  },
  {
    id: 'spam-words',
    class: 'spam_block',
    text: either(
      /\bspam|\bube\b|\buce\b|unsolicited|\bjunk\b|bulk (?:e-?)?mail|likely suspicious/,
      /suspicious (?:content|message|mail)|mass[- ]?mail|content (?:rejected|filter|refused|denied)/,
      /message (?:filtered|content rejected)|rejected (?:by|due to) (?:\S{1,20} )?content|spamming/,
      /looks like spam|bayes|^dt:(?:spm|sum)\b/,
    ),
    examples: [
      '550-5.7.1 [192.0.2.7      12] Our system has detected that this message is likely\r\n550-5.7.1 unsolicited mail. To reduce the amount of spam sent to Gmail, this message\r\n550 5.7.1 has been blocked. - gsmtp',
      '554 5.7.0 Reject, id=20025-09 - SPAM',
      '554 DT:SPM 163 smtp5',
      '550 High probability of spam',
      '550 5.7.1 Message content rejected, UBE, id=00000-00-000',
      '550 5.2.0 Message Filtered',
      '571 5.7.1 Message contains spam : 000.000.000',
      '554 rejected due to spam content',
    ],
  },
  {
    id: 'policy-words',
    class: 'policy',
    text: either(
      /polic(?:y|ies)|access denied|not authori[sz]ed|delivery not authori[sz]ed/,
      /(?:not|no) permi(?:tted|ssion)|not allowed|prohibited|unacceptable|not accepted for/,
      /security (?:reasons|settings)/,
    ),
    examples: [
      '554 Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://senders.yahooinc.com/error-codes',
      '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
      '550 5.7.1 Access denied',
      '550 5.7.0 Local Policy Violation',
      '550 5.7.129 Delivery not authorized',
    ],
  },
];
