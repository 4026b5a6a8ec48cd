// The answer to forward: each end in plain sentences, nothing of caps and tiers, replies as they are but short.

import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { answerOf } from '../../../core/message/answer.ts';
import { inWords } from '../../../core/message/explain.ts';
import { RULES, type BareDecision, type DecisionRule } from '../../../core/message/explain-rules.ts';

const AT = new Date('2026-11-23T10:00:00Z');
const MESSAGE = { id: newUuid(), from: 'shop@example.com', to: 'ann@example.net', subject: 'Hello' };
const CAP = { tier: 2, cap: 250, used: 250, reserved: 3 };
const REPLY = {
  attempt: 1,
  mx: 'mx.example.net',
  smtp_code: 550,
  enhanced_code: '5.1.1',
  reply: 'No such user',
};

function answer(...made: [rule: DecisionRule, inputs?: BareDecision['inputs']][]): string[] {
  const decisions = made.map(([rule, inputs = {}]) => inWords({ rule, at: AT, inputs }));
  return answerOf(MESSAGE, decisions).split('\n').slice(1, -1);
}

const line = (words: string) => `- 2026-11-23 10:00 UTC: ${words}`;

test('a bounce says which server, what it answered, and what to do', () => {
  expect(answer(['accepted', CAP], ['bounced', REPLY])).toEqual([
    line('We accepted it for delivery.'),
    line(
      'The recipient’s mail server mx.example.net refused it for good and answered: “550 5.1.1 No such user”.',
    ),
    'It is not tried again. Please check the address, or show the lines above to whoever runs that mail server.',
  ]);
});

test('mail that waited for the cap and a brake says once that it waited', () => {
  const lines = answer(
    ['warmup_cap', CAP],
    ['warmup_cap', CAP],
    ['brake', { brake: 'all' }],
    ['released', CAP],
  );
  expect(lines).toEqual([line('We accepted it, and it waited in our queue.'), 'It is being sent now.']);
});

test('a server that was not reached, several times', () => {
  const inputs = {
    attempt: 1,
    reply: 'connect ECONNREFUSED',
    retry_at: '2026-11-23T11:00:00Z',
    times: 3,
    since: AT.toISOString(),
  };
  expect(answer(['accepted'], ['retry', inputs])).toEqual([
    line('We accepted it for delivery.'),
    line(
      'We could not deliver it to the recipient’s mail server: connect ECONNREFUSED. (3 times since 2026-11-23 10:00 UTC)',
    ),
    'It is tried again or sent at 2026-11-23 11:00 UTC, or soon after.',
  ]);
});

test('a reply is one line and short; the subject is named', () => {
  const [, bounce] = answer(['accepted'], ['bounced', { ...REPLY, reply: `a\nb${'x'.repeat(9_000)}` }]);
  expect(bounce!.length).toBeLessThan(600);
  expect(answerOf({ ...MESSAGE, subject: 'Hi Ann' }, []).split('\n')[0]).toBe(
    'The message “Hi Ann” from shop@example.com to ann@example.net:',
  );
  expect(answerOf({ ...MESSAGE, subject: '' }, []).split('\n')[0]).toBe(
    'The message from shop@example.com to ann@example.net:',
  );
});

test('every rule: whole sentences that tell nothing of caps, tiers, pools and routes', () => {
  for (const rule of Object.keys(RULES) as DecisionRule[]) {
    const text = answer(['accepted', CAP], [rule, { ...CAP, pool: 'p1', route: 'relay', addresses: 2 }]).join(
      '\n',
    );
    expect(text, rule).toMatch(/[.”)]$/);
    expect(text, rule).not.toMatch(/undefined|null|\bcap\b|tier|pool|route|brake|250|NaN/);
  }
});
