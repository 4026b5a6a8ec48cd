import { expect, test } from 'vitest';

import { problemOf, secondsUntilNoon } from '../../../local/clock/calendar.ts';
import { nextJump } from '../../../local/clock/walk.ts';

const at = (time: string) => new Date(`2026-03-0${time}Z`);

test('a day is left out but for its midnight and its 02:00, which pass by themselves', () => {
  expect(nextJump(at('1T00:00:02'))).toBeNull();
  expect(nextJump(at('1T00:00:03'))).toEqual(at('1T01:59:54'));
  expect(nextJump(at('1T01:59:58'))).toBeNull();
  expect(nextJump(at('1T02:00:02'))).toBeNull();
  expect(nextJump(at('1T02:00:03'))).toEqual(at('1T23:59:34'));
  expect(nextJump(at('1T23:59:50'))).toBeNull();
});

test('on its way to a time it stops there, and lets pass what is near a midnight', () => {
  expect(nextJump(at('1T12:00:00'), at('1T15:00:00'))).toEqual(at('1T15:00:00'));
  expect(nextJump(at('1T12:00:00'), at('2T15:00:00'))).toEqual(at('1T23:59:34'));
  expect(nextJump(at('1T12:00:00'), at('1T23:59:50'))).toEqual(at('1T23:59:34'));
  expect(nextJump(at('1T23:59:34'), at('1T23:59:50'))).toBeNull();
});

test('every jump of the driver is one that the calendar makes', () => {
  for (let second = 0; second < 86_400; second += 7) {
    const now = new Date(at('1T00:00:00').getTime() + second * 1_000);
    const target = nextJump(now);
    if (target !== null) expect(problemOf(now, target), now.toISOString()).toBeNull();
  }
});

test('no jump goes back, over a midnight, over 02:00, or too close to midnight', () => {
  expect(problemOf(at('1T12:00:00'), at('1T11:00:00'))).toContain('goes back');
  expect(problemOf(at('1T12:00:00'), at('2T01:00:00'))).toContain('crosses a midnight');
  expect(problemOf(at('1T01:00:00'), at('1T02:00:00'))).toContain('the daily jobs');
  expect(problemOf(at('1T12:00:00'), at('1T23:59:40'))).toContain('too close to midnight');
});

test('a run begins at the next 12:00', () => {
  expect(secondsUntilNoon(at('1T11:59:58.5'))).toBe(2);
  expect(secondsUntilNoon(at('1T12:00:00'))).toBe(0);
  expect(secondsUntilNoon(at('1T12:00:01'))).toBe(86_399);
});
