import { expect, test } from 'vitest';

import { gapAfter, judgeAttempt, retryAfterMs, type Attempted } from '../../../core/webhook/schedule.ts';

const now = new Date('2026-11-21T00:00:00Z');
const rules = { now, random: 0, scale: 1 };
const answered = (status: number, retryAfter: string | null = null): Attempted => ({
  kind: 'answered',
  status,
  retryAfter,
  detail: `said ${status}`,
});

test.each([
  [200, 'accepted'],
  [204, 'accepted'],
  [299, 'accepted'],
  [301, 'again'],
  [400, 'dead'],
  [404, 'dead'],
  [408, 'dead'],
  [410, 'dead'],
  [429, 'again'],
  [500, 'again'],
  [503, 'again'],
])('%i is %s', (status, kind) => {
  expect(judgeAttempt(answered(status), 1, rules).kind).toBe(kind);
});

test('the gaps of the contract, lengthened by up to a tenth, never over 24 h', () => {
  const minutes = [1, 2, 3, 4, 5, 6].map((attempt) => gapAfter(attempt, 0, 1) / 60_000);
  expect(minutes).toEqual([0.5, 2, 10, 60, 360, 1440]);
  expect(gapAfter(1, 1, 1)).toBe(33_000);
  expect(gapAfter(6, 1, 1)).toBe(86_400_000);
});

test('the seventh attempt is the last, whatever fails', () => {
  expect(judgeAttempt(answered(500), 6, rules).kind).toBe('again');
  expect(judgeAttempt(answered(500), 7, rules)).toMatchObject({ kind: 'dead' });
  expect(judgeAttempt({ kind: 'failed', detail: 'x' }, 7, rules).kind).toBe('dead');
  expect(judgeAttempt(answered(429), 7, rules).kind).toBe('dead');
  expect(judgeAttempt(answered(429, '5'), 7, rules)).toMatchObject({ kind: 'again', counts: false });
});

test('an attempt that was cut off is repeated after the first gap, and counts', () => {
  const cutOff = (attempt: number) => judgeAttempt({ kind: 'cut_off', detail: 'x' }, attempt, rules);
  expect(cutOff(6)).toEqual({ kind: 'again', inMs: 30_000, counts: true, detail: 'x' });
  expect(cutOff(7).kind).toBe('dead');
});

test('an address that is not public is dead at once', () => {
  expect(judgeAttempt({ kind: 'blocked', detail: 'no' }, 1, rules)).toEqual({ kind: 'dead', detail: 'no' });
});

test.each([
  ['120', 120_000],
  ['0', 1_000],
  ['99999999', 86_400_000],
  ['Sat, 21 Nov 2026 00:10:00 GMT', 600_000],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 1_000],
  ['Sun, 29 Nov 2026 00:00:00 GMT', 86_400_000],
  ['soon', null],
  ['', null],
  [null, null],
])('Retry-After %j waits %s ms', (value, ms) => {
  expect(retryAfterMs(value, now)).toBe(ms);
});
