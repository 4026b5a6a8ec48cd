// What reports say that live replies do not: words of mailer programs and of gateways that report for others. Read
// before the table of replies. The first row that matches decides.

import type { BounceClass } from '../bounce/bounce-classes.ts';

/** One row. Every condition given must hold; `text` sees lower case with single spaces. */
export interface DsnRule {
  id: string;
  class: BounceClass;
  text?: RegExp;
  /** Host that wrote the report. */
  reporter?: RegExp;
  example: string;
}

/**
 * Words with which the host of the mailbox itself says that there is no such mailbox. Other text without any code
 * may come from a gateway that guesses, and is not enough to strike a recipient off.
 */
export const FINAL_WORDS =
  /not listed in .{0,40}(?:directory|address book)|invalid final delivery userid|recipient name is not recogni[sz]ed|no mailbox here by that name|domino .{0,120}見つかりません|^\s*unrout(?:e)?able address|no valid recipients? (?:for this mm|were found for this message)|mail\.local: unknown user/;

/** The table. */
export const DSN_RULES: readonly DsnRule[] = [
  {
    id: 'dsn-final-words',
    class: 'invalid_recipient',
    text: FINAL_WORDS,
    example: 'Invalid final delivery userid: ann@example.com',
  },
  {
    id: 'dsn-mailer-program',
    class: 'remote_system',
    text: /procmail: |can't create (?:\(user\) )?output|couldn't create "|command (?:died|failed|time limit)|unknown mailer error|local delivery failed|\| ?"?\/usr\//,
    example: `procmail: Couldn't create "/var/spool/mail/ann" id: mx.example.com: No such user`,
  },
  {
    // Amazon SES receives for its customers, whose own rules choose the words of the refusal.
    id: 'dsn-ses-receipt-rule',
    class: 'policy',
    text: /^mailbox does not exist|^message rejected/,
    reporter: /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/,
    example: '550 5.1.1 Mailbox does not exist',
  },
  {
    id: 'dsn-no-mx',
    class: 'null_mx',
    text: /no mx (?:record )?found for domain|couldn't find a mail exchanger or ip address|an mx or srv record indicated no smtp service|no valid mx hosts? found|mail exchanger? .{0,20}indicated no smtp/,
    example: "Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)",
  },
  {
    id: 'dsn-no-such-host',
    class: 'invalid_domain',
    text: /couldn't find any host named|couldn't find any host by that name|no dns records for|account or domain may not exist/,
    example: "Sorry, I couldn't find any host named no-such.example. (#5.1.2)",
  },
  {
    id: 'dsn-google-groups',
    class: 'policy',
    text: /google groups|groups\.google\.com/,
    example: 'the group you tried to contact may not exist, or you may not have permission. Google Groups',
  },
  {
    id: 'dsn-loop',
    class: 'remote_system',
    text: /maximum hop count|routing loop|mail loop|loops back to myself|loop alert/,
    example: 'Maximum hop count exceeded. Message probably in a routing loop.',
  },
  {
    id: 'dsn-mailbox-full',
    class: 'mailbox_full',
    text: /(?:as )?their mailbox is full|not enough disk space|no space left|mailbox is full|quota exceeded/,
    example: 'As their mailbox is full.',
  },
];

/** Words of hosts that name an unknown mailbox only after the message, with a reply code. */
export const FINAL_REPLIES = /user doesn't have an? \S{1,60} account/;

/** The row that matches, or null. */
export function findDsnRule(said: string, reporter: string): DsnRule | null {
  return (
    DSN_RULES.find(
      (rule) =>
        (rule.text === undefined || rule.text.test(said)) &&
        (rule.reporter === undefined || rule.reporter.test(reporter)),
    ) ?? null
  );
}
