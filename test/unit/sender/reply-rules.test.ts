// Every row of the rules about providers' replies, with the replies that it was made for.

import { describe, expect, test } from 'vitest';

import { parseReply } from '../../../core/mail/smtp-reply.ts';
import { REPLY_RULES, ruleOf } from '../../../sender/provider/reply-rules.ts';

const said = (text: string) => parseReply(text)!;

describe.each(REPLY_RULES)('$id', ({ id, providers, examples }) => {
  test.each([...examples])('%s', (example) => {
    for (const provider of providers ?? ['gmail', 'example'])
      expect(ruleOf(provider, said(example))?.id).toBe(id);
  });
});

test('the words of one provider count nothing at another', () => {
  expect(ruleOf('gmail', said('421 4.7.0 [TSS05] Deferred'))).toBeUndefined();
  expect(ruleOf('yahoo', said('421 4.7.0 [TSS05] Deferred'))?.action).toEqual({
    kind: 'suspend',
    minutes: 240,
  });
});

test.each([
  '450-4.2.1 The user you are trying to contact is receiving mail too quickly.\r\n450 4.2.1 Please resend your message at a later time. - gsmtp',
  '452 4.5.3 Too many recipients',
  '451 4.7.1 Greylisting in action, please come back later',
  '452 4.2.2 The email account that you tried to reach is over quota.',
  '552 5.2.2 too many messages in this mailbox',
  '550 5.1.1 The email account that you tried to reach does not exist.',
  '550-5.7.26 This message does not have authentication information\r\n550 5.7.26 https://support.google.com/mail/answer/81126 - gsmtp',
  '421 4.7.0 mx.example.com Error: too many errors',
])('slows down nobody else: %s', (reply) => {
  expect(ruleOf('gmail', said(reply))).toBeUndefined();
});
