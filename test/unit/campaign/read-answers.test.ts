import { expect, test } from 'vitest';

import type { Recipient } from '../../../core/campaign/expand-store.ts';
import { readAnswers } from '../../../core/campaign/read-answers.ts';
import type { Accepted, Refused } from '../../../core/message/submission.ts';

const recipients: Recipient[] = ['a', 'b', 'c', 'd'].map((contactId) => ({
  contactId,
  messageId: contactId,
  contact: null,
  stored: false,
}));
const ok: Accepted = {
  ok: true,
  id: '',
  status: 'queued',
  reason: null,
  deferredUntil: null,
  domain: '',
  warmup: { tier: 0, cap: 0, used: 0 },
};
const no = (code: Refused['code'], path = ''): Refused => ({
  ok: false,
  code,
  message: code,
  details: [{ path, message: code }],
});
const answer = (...items: (Accepted | Refused)[]) => ({
  ok: true as const,
  items,
  quota: null,
  replayed: false,
});

test('accepted and failed ones are answered; the mark follows them', () => {
  expect(readAnswers(recipients, answer(ok, no('validation_failed', 'variables.city'), ok, ok))).toEqual({
    accepted: ['a', 'c', 'd'],
    failed: [{ contactId: 'b', error: 'validation_failed' }],
    confirmedTo: 'd',
    stop: null,
    again: false,
  });
});

test('the quota in the middle stops there, and what was taken behind it is kept', () => {
  expect(readAnswers(recipients, answer(ok, no('quota_exceeded'), ok, no('quota_exceeded')))).toMatchObject({
    accepted: ['a', 'c'],
    failed: [],
    confirmedTo: 'a',
    stop: { reason: 'quota_exceeded' },
  });
});

test.each([
  ['domain_paused', '', 'domain_paused'],
  ['domain_not_verified', '', 'domain_not_verified'],
  ['validation_failed', 'template_id', 'template_not_found'],
] as const)('%s of the whole batch pauses the campaign', (code, path, reason) => {
  expect(readAnswers(recipients, { ...no(code, path), quota: null })).toMatchObject({
    accepted: [],
    confirmedTo: null,
    stop: { reason },
    again: false,
  });
});

test.each(['unavailable', 'internal_error', 'rate_limited'] as const)('%s is asked again', (code) => {
  const read = readAnswers(recipients, { ...no(code), quota: null });
  expect(read).toMatchObject({ confirmedTo: null, stop: null, again: true, failed: [] });
});
