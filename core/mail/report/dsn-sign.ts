// Whether a message without any machine-readable report is a bounce at all.

import { headerOf, type ReportPart } from './dsn-mime.ts';
import { reportText } from './dsn-text.ts';

const FROM =
  /mailer-?daemon|post_?master|mail delivery|mail administrator|system administrator|mdaemon|no-?reply@/i;
const SUBJECT =
  /undeliver|(?:delivery|mail|message|returned).{0,30}(?:fail|error|problem|status|unknown|return|could ?n.t|not delivered|rejected|delay)|failure (?:notice|delivery)|failed delivery|returned (?:mail|to sender)|mail system error|nondeliverable|could not be delivered|rejected/i;
const TEXT =
  /could ?n(?:o|')t be delivered|not (?:be )?delivered|undeliver(?:able|ed)|unable to deliver|delivery (?:has |to ).{0,80}fail|failed (?:permanently|to deliver)|did not reach|permanent (?:fatal )?error|delivery errors?|returned mail|transcript of session|invalid final delivery|unknown user|user unknown|no such user|invalid user|error sending your mail|送信できません|送信に失敗|qmail-send program|mail system|delivery failed|(?:not (?:been )?able|n't able) to deliver|(?:was|were) rejected/i;

/** A person who writes "your mail bounced" is no bounce: two of three signs are needed. */
export function looksLikeBounce(root: ReportPart): boolean {
  if (headerOf(root, 'x-failed-recipients') !== '') return true;
  const returnPath = headerOf(root, 'return-path').trim();
  const signs = [
    FROM.test(headerOf(root, 'from')) || /^<>$|^<?mailer-daemon/i.test(returnPath),
    SUBJECT.test(headerOf(root, 'subject')),
    TEXT.test(reportText(root)),
  ];
  return signs.filter(Boolean).length >= 2;
}
