// The states of the same-day brake, and the list that each cause of it is found in.

import { expect, test } from 'vitest';

import { brakeCauses, brakeStatus } from '../../../dashboard/src/pages/domains/brake-words.ts';

test.each([
  ['off', true, 'armed'],
  ['off', false, 'switched off'],
  ['bulk', true, 'holding campaigns'],
  ['all', true, 'holding all'],
] as const)('%s, enabled %s: %s', (state, brakeEnabled, text) => {
  expect(brakeStatus({ brake: { state }, brakeEnabled }).text).toBe(text);
});

test.each([
  ['bounces', '/messages?status=bounced&domain=example.com'],
  ['blocks', '/messages?status=bounced&domain=example.com'],
  ['complaints', '/events?types=complaint'],
] as const)('%s are found at %s', (measure, href) => {
  expect(brakeCauses('example.com', measure).href).toBe(href);
});
