import { expect, test } from 'vitest';

import { readScheduledAt } from '../../../../api/compat/resend/scheduled-at.ts';

const NOW = new Date('2026-01-31T08:00:00.000Z');

test.each([
  ['in 1 hour', '2026-01-31T09:00:00.000Z'],
  ['In 30 min', '2026-01-31T08:30:00.000Z'],
  ['in an hour', '2026-01-31T09:00:00.000Z'],
  ['in a week', '2026-02-07T08:00:00.000Z'],
  ['in 2 days', '2026-02-02T08:00:00.000Z'],
])('%s', (given, at) => {
  expect(readScheduledAt(given, NOW)).toBe(at);
});

test.each(['tomorrow at 10am', 'in 1 fortnight', 'in -1 hour', '2026-02-01T00:00:00Z', 7, null, undefined])(
  'what it does not read it leaves alone: %s',
  (given) => {
    expect(readScheduledAt(given, NOW)).toBe(given);
  },
);
