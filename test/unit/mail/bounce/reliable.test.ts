// Suppression is permanent, so a hard verdict needs a reliable reason: replies to RCPT, by what makes them reliable or not.

import { describe, expect, test } from 'vitest';

import { classifyBounce } from '../../../../core/mail/bounce/classify-bounce.ts';
import { parseReply, type SmtpCommand } from '../../../../core/mail/smtp-reply.ts';

const verdict = (text: string, command: SmtpCommand = 'RCPT') => {
  const { class: bounceClass, kind, suppresses } = classifyBounce({ reply: parseReply(text, command)! });
  return { bounceClass, kind, suppresses };
};
const SOFT = { kind: 'soft', suppresses: false };
const HARD = { bounceClass: 'invalid_recipient', kind: 'hard', suppresses: true };

describe('5.1.1 beside words about the sender, a registration, the time, abuse or a block', () => {
  test.each([
    '550 5.1.1 <u@x.example>: unauthorized sender',
    '550 5.1.1 Your domain has not been registered with this relay service',
    '550 5.1.1 Temporarily unable to verify recipient',
    '550 5.1.1 Account blocked due to abuse',
    '550 5.1.1 undeliverable address: host mx.inner.example said: 550 5.7.1 blocked',
    '550 Domain may not exist or DNS check failed [x IP: 192.0.2.1]',
    // Written before the rules were read.
    '550 5.1.1 <u@x.example>: sender address not permitted by this system',
    '550 5.1.1 Sending domain is not registered with our gateway; contact your administrator',
    '550 5.1.1 <u@x.example> Recipient verification temporarily failed, please try again later',
    '550 5.1.1 message refused: too many complaints of abuse from 192.0.2.1',
    '550 5.1.1 unable to reach the verification server, timeout',
    '550 5.1.1 mail from your IP has been blocked',
    '553 5.1.1 Sender domain does not resolve',
    '550 5.1.1 your account is not registered to use this smarthost',
    '550 5.1.1 recipient cannot be verified at this time',
    '550 5.1.1 User suspended for abuse',
    '550 5.1.10 The sender is not authorised to write to this recipient',
    '550 5.1.2 From-domain unknown: we could not find an MX for your domain',
  ])('%s', (reply) => {
    expect(verdict(reply)).toMatchObject(SOFT);
  });

  test.each([
    '550 5.1.1 <abuse@x.example>: user unknown',
    '550 5.1.1 <sender@blocked.example> no such user here',
    '550 5.1.1 <u@x.example>: Recipient address rejected: User unknown in virtual mailbox table',
    '550 5.1.1 This user is not registered here',
    '550 5.1.1 <unauthorized.sender@registered.example>',
    '550 5.1.1 No such user. If you are the sender, please check the address',
    '550 5.1.1 undeliverable address: host mx.inner.example said: 550 5.1.1 no such user',
  ])('reliable all the same: %s', (reply) => {
    expect(verdict(reply)).toMatchObject(HARD);
  });
});

describe('"unknown or full" leaves open which', () => {
  test.each([
    '550 5.1.1 Destinatario desconocido o mailbox lleno',
    // Written before the rules were read.
    '550 Usuario desconocido o buzón lleno',
    '550 5.1.1 Usuário desconhecido ou caixa postal cheia',
    '550 5.1.1 Utilisateur inconnu ou boîte pleine',
    '550 5.1.1 Destinataire inconnu ou quota dépassé',
    '550 5.1.1 Utente sconosciuto o casella piena',
    '550 5.1.1 Empfänger unbekannt oder Postfach voll',
    '550 Postfach voll oder Benutzer unbekannt',
    '550 5.1.1 Destinatário inexistente ou caixa de correio lotada',
    '550 5.1.1 Benutzer existiert nicht oder hat sein Kontingent überschritten',
    '550 5.1.1 Destinatario inesistente oppure casella satura',
  ])('full: %s', (reply) => {
    expect(verdict(reply)).toMatchObject({ bounceClass: 'mailbox_full', ...SOFT });
  });

  test.each([
    '550 5.1.1 account disabled or unknown user',
    '550 User unknown or mailbox disabled',
    '550 5.1.1 Recipient unknown, deactivated or suspended',
    '550 5.1.1 Benutzer unbekannt oder gesperrt',
    '550 5.1.1 The account is inactive or does not exist',
    '550 5.1.1 Compte inconnu ou désactivé',
    '550 5.1.1 Usuario desconocido o cuenta deshabilitada',
    '550 5.1.1 Utente sconosciuto o disabilitato',
  ])('disabled: %s', (reply) => {
    expect(verdict(reply)).toMatchObject({ bounceClass: 'inactive_mailbox', ...SOFT });
  });
});

describe('who looks recipients up after the dot', () => {
  test.each([
    '550 Message was not accepted -- invalid mailbox. Local mailbox u@x.example is unavailable: user not found',
    '552 1 Requested mail action aborted, mailbox not found',
    // Written before the rules were read.
    '550 Message was not accepted -- invalid mailbox.  Local mailbox ann.lee@y.example is unavailable: user not found',
    '550-Message was not accepted -- invalid mailbox.\r\n550 Local mailbox u@x.example is unavailable: user not found',
    '552 1 Requested mail action aborted, mailbox not found (in reply to end of DATA command)',
    '550 MESSAGE WAS NOT ACCEPTED -- INVALID MAILBOX. LOCAL MAILBOX U@X.EXAMPLE IS UNAVAILABLE: USER NOT FOUND',
  ])('hard: %s', (reply) => {
    expect(verdict(reply, 'DOT')).toMatchObject(HARD);
    expect(verdict(reply, 'RCPT')).toMatchObject(HARD);
  });

  test.each([
    '550 Message was not accepted -- invalid mailbox. Local mailbox u@x.example is unavailable: account is disabled',
    '550 Account is disabled',
    '552 2 Requested mail action aborted, mailbox full',
    '552 Requested mail action aborted: exceeded storage allocation',
    '550 Message was not accepted -- spam detected',
    '554 Requested mail action aborted',
    '450 Message was not accepted -- invalid mailbox. Local mailbox u@x.example is unavailable: user not found',
    '550 mailbox not found',
    '550 user not found',
  ])('soft: %s', (reply) => {
    expect(verdict(reply, 'DOT')).toMatchObject(SOFT);
  });
});

test.each([
  ['550 mailbox unavailable', 'invalid_recipient', 'hard'],
  ['550 Requested action not taken: mailbox unavailable', 'invalid_recipient', 'hard'],
  ['550 mailbox u@x.example unavailable', 'invalid_recipient', 'hard'],
  ['550 Mailbox <u@x.example> is unavailable', 'invalid_recipient', 'hard'],
  ['450 mailbox unavailable', 'uncategorized', 'soft'],
  ['550 mailbox temporarily unavailable', 'remote_system', 'soft'],
  ["550 RCPT (u@x.example) dosn't exist", 'invalid_recipient', 'hard'],
  ["550 RCPT <u@x.example> doesn't exist", 'invalid_recipient', 'hard'],
  ['550 5.0.1 Recipient rejected', 'invalid_recipient', 'hard'],
  ['550 5.0.1 Recipient rejected: sender is not on the list', 'policy', 'soft'],
  ['550 Recipient rejected', 'uncategorized', 'soft'],
  ['550 non-local recipient verification failed', 'invalid_recipient', 'hard'],
  ['550 Address unknown (state 14)', 'invalid_recipient', 'hard'],
  ['550 550 Unknown user (state 14)', 'invalid_recipient', 'hard'],
  ['550 5.7.1 Unfortunately, messages from 192.0.2.1 were not sent (SC-001)', 'reputation_block', 'soft'],
  ['550 SC-001', 'reputation_block', 'soft'],
  ['550 OU-002 (mail) Unfortunately, messages from 192.0.2.1 weren’t sent', 'reputation_block', 'soft'],
  ['554 DT:SPM 126 smtp5,xyz', 'spam_block', 'soft'],
  ['550 DT:SPM', 'spam_block', 'soft'],
  ['550 MI:NHD 163 mx2', 'protocol', 'soft'],
  ['550 RP:TRC the number of messages exceeds limit', 'rate_limited', 'soft'],
  ['550 the number of recipients exceeds the limit of this day', 'rate_limited', 'soft'],
  ['554 192.0.2.1 found on one or more DNSBLs, see https://x.example', 'reputation_block', 'soft'],
  ['550 5.7.1 host found in several DNSBL lists', 'reputation_block', 'soft'],
  ['550 rejected by header based manually Blocked Senders: a@b.example', 'policy', 'soft'],
  ['550 a@b.example is on the list of blocked senders', 'policy', 'soft'],
] as const)('%s: %s, %s', (reply, bounceClass, kind) => {
  expect(verdict(reply)).toMatchObject({ bounceClass, kind });
});

describe('the innermost code of a quoted reply decides', () => {
  test.each([
    ["550 5.1.0 - Unknown address error 550-'5.1.1 <u@x.example>: User unknown'", 'hard'],
    ["550 5.1.0 - Unknown address error 550-'5.1.1 The email account does not exist'", 'hard'],
    // Written before the rules were read.
    ["550 5.1.1 - Unknown address error 550-'5.7.1 blocked by the policy of x.example'", 'soft'],
    ["550 5.1.1 - Unknown address error 554-'5.2.2 <u@x.example>: mailbox full'", 'soft'],
    ["550 5.1.0 - Unknown address error 550-'5.4.1 Recipient address rejected: Access denied'", 'hard'],
    ['550 5.1.1 Unknown address error: host mx.x.example[192.0.2.2] said: 450 4.2.0 greylisted', 'soft'],
    ['550 5.1.1 The server replied: 554 5.7.1 rejected, your host is on a list', 'soft'],
    ['550 5.7.1 Delivery failed: remote server said: 550 5.1.1 <u@x.example>: User unknown', 'hard'],
    [
      '550 5.1.1 <u@x.example>: Recipient address rejected: undeliverable address: host 192.0.2.9[192.0.2.9] said: 554 5.7.1 Service unavailable; Client host blocked using zen.example (in reply to RCPT TO command)',
      'soft',
    ],
  ])('%s: %s', (reply, kind) => {
    expect(verdict(reply).kind).toBe(kind);
  });
});
