import { describe, expect, test } from 'vitest';
import { classifyBounce, MAX_CLASSIFIED_CHARS } from '../../../../core/mail/bounce/classify-bounce.ts';
import { parseReply } from '../../../../core/mail/smtp-reply.ts';

function classify(text: string) {
  return classifyBounce({ reply: parseReply(text) ?? { code: null, enhanced: null, text } });
}

describe('what nobody knows', () => {
  test('an unknown 5xx ends the message and suppresses nobody', () => {
    expect(classify('550 the moon is in the wrong house')).toEqual({
      class: 'uncategorized',
      kind: 'soft',
      infrastructure: false,
      suppresses: false,
      permanent: true,
      ruleId: 'none',
    });
  });

  test('an unknown 4xx is not permanent', () => {
    expect(classify('450 the moon is in the wrong house')).toMatchObject({
      class: 'uncategorized',
      permanent: false,
    });
  });

  test('what a person or an address did to us is not a dead mailbox', () => {
    for (const text of [
      '550 user has blocked you',
      '550 IP address not found',
      '550 The user has locked the door',
    ]) {
      expect(classify(text).suppresses, text).toBe(false);
    }
  });

  test('a plain "rejected" is nobody’s fault in particular', () => {
    expect(classify('550 Rejected').class).toBe('uncategorized');
    expect(classify('550 Requested action not taken').class).toBe('uncategorized');
  });
});

describe('suppression', () => {
  test('a permanent unknown user is hard and suppresses', () => {
    expect(classify('550 5.1.1 <a@example.com>: User unknown')).toMatchObject({
      kind: 'hard',
      suppresses: true,
    });
  });

  test('the same words with 4xx do not', () => {
    expect(classify('450 4.1.1 <a@example.com>: User unknown')).toMatchObject({
      class: 'invalid_recipient',
      kind: 'soft',
      suppresses: false,
      permanent: false,
    });
  });

  test('a domain that is not there is hard, but does not suppress', () => {
    const bounce = classifyBounce({
      reply: { code: null, enhanced: null, text: 'queryMx ENOTFOUND x.example' },
      stage: 'dns',
    });
    expect(bounce).toMatchObject({ class: 'invalid_domain', kind: 'hard', suppresses: false });
  });

  test.each([
    '550 5.1.8 Domain of sender address a@example.com does not exist',
    '550 5.7.1 Service unavailable, Client host [192.0.2.7] blocked using Spamhaus; user unknown',
    '554 5.7.1 Relay access denied',
    '550 5.7.26 Unauthenticated email from example.com is not accepted due to domain’s DMARC policy',
    '550 5.7.25 The IP address has no PTR record; account does not exist',
    '550 Sender verify failed',
    '503 5.5.1 Bad sequence of commands',
    '550 Your account has been disabled',
    '535 invalid user',
    '550 5.7.1 Your IP address 192.0.2.7 is blocked',
  ])('a refusal of us never suppresses: %s', (text) => {
    expect(classify(text)).toMatchObject({ infrastructure: true, suppresses: false, kind: 'soft' });
  });
});

describe('an answer given before any recipient was named', () => {
  test.each(['CONNECT', 'EHLO', 'STARTTLS', 'AUTH', 'MAIL'] as const)('%s never suppresses', (command) => {
    const reply = { code: 550, enhanced: '5.1.1', text: 'user unknown' };
    expect(classifyBounce({ reply, command })).toMatchObject({
      kind: 'soft',
      suppresses: false,
      permanent: true,
    });
  });

  test('the command of a parsed reply counts too', () => {
    const reply = parseReply('550 5.1.1 user unknown', 'MAIL');
    expect(reply && classifyBounce({ reply }).suppresses).toBe(false);
  });

  test.each(['RCPT', 'DATA', 'DOT'] as const)('%s may', (command) => {
    const reply = { code: 550, enhanced: '5.1.1', text: 'user unknown' };
    expect(classifyBounce({ reply, command })).toMatchObject({ kind: 'hard', suppresses: true });
  });
});

describe('failures without any reply', () => {
  test.each([
    ['dns', 'queryMx ESERVFAIL example.com', 'dns_failure', false],
    ['dns', 'queryMx ENOTFOUND example.com', 'invalid_domain', true],
    ['dns', 'null MX', 'null_mx', true],
    ['connect', 'connect ECONNREFUSED 192.0.2.7:25', 'connection', false],
    ['tls', 'unable to verify the first certificate', 'tls', false],
    ['smtp', 'read ECONNRESET', 'connection', false],
    ['smtp', 'timeout after 300 s', 'timeout', false],
  ] as const)('%s: %s is %s, permanent: %s', (stage, text, expected, permanent) => {
    const bounce = classifyBounce({ reply: { code: null, enhanced: null, text }, stage });
    expect(bounce).toMatchObject({ class: expected, permanent });
  });
});

describe('text without a session, as a report gives it', () => {
  test('the enhanced code alone decides permanence', () => {
    const reply = { code: null, enhanced: '4.2.2', text: 'over quota' };
    expect(classifyBounce({ reply, stage: 'dsn' })).toMatchObject({
      class: 'mailbox_full',
      permanent: false,
    });
    const gone = { code: null, enhanced: '5.1.1', text: '' };
    expect(classifyBounce({ reply: gone, stage: 'dsn' })).toMatchObject({
      class: 'invalid_recipient',
      suppresses: true,
    });
  });

  test('network rows only apply to their own stage', () => {
    const reply = { code: 550, enhanced: null, text: 'ENOTFOUND' };
    expect(classifyBounce({ reply, stage: 'smtp' }).class).toBe('uncategorized');
  });

  test('folded and shouted text reads the same', () => {
    expect(classify('550 USER\r\n\tUNKNOWN').class).toBe('invalid_recipient');
  });

  test('only the beginning of a long text is read', () => {
    expect(classify(`550 ${'z '.repeat(MAX_CLASSIFIED_CHARS)} user unknown`).class).toBe('uncategorized');
  });
});
