// What outcomes mean for the brake: every move, and what makes none.

import { expect, test } from 'vitest';

import type { BrakeStart, Outcomes } from '../../../core/db/schema/domain.ts';
import { judgeBrake, type BrakedDomain } from '../../../core/warmup/brake.ts';

const NONE: Outcomes = { attempted: 0, delivered: 0, bounced: 0, unknown: 0, blocked: 0, complained: 0 };
const counts = (all: Partial<Outcomes>, transactional: Partial<Outcomes> = {}): BrakeStart => ({
  day: '2026-11-22',
  all: { ...NONE, ...all },
  transactional: { ...NONE, ...transactional },
});
const domain = (more: Partial<BrakedDomain>): BrakedDomain => ({
  tenantId: 't',
  domainId: 'd',
  name: 'example.com',
  tier: 10,
  enabled: true,
  state: 'off',
  numbers: null,
  start: null,
  counts: counts({}),
  ...more,
});
const moveTo = (more: Partial<BrakedDomain>) => judgeBrake(domain(more), null).move?.to ?? null;

test('99 bounces of 99 attempts decide nothing; the hundredth attempt does', () => {
  expect(moveTo({ counts: counts({ attempted: 99, bounced: 99 }) })).toBeNull();
  expect(moveTo({ counts: counts({ attempted: 100, bounced: 99 }) })).toBe('bulk');
  expect(moveTo({ enabled: false, counts: counts({ attempted: 100, bounced: 99 }) })).toBeNull();
});

test('blocks and complaints trip it too, each by its own numbers', () => {
  expect(moveTo({ counts: counts({ attempted: 200, blocked: 16, delivered: 184 }) })).toBe('bulk');
  expect(moveTo({ counts: counts({ attempted: 200, delivered: 200, complained: 8 }) })).toBe('bulk');
  expect(
    moveTo({ counts: counts({ attempted: 10_000, delivered: 9_800, bounced: 200, complained: 8 }) }),
  ).toBeNull();
});

test('campaign mail held, only transactional mail is judged', () => {
  const bad = { attempted: 1000, bounced: 300 };
  expect(moveTo({ state: 'bulk', counts: counts(bad, { attempted: 400, bounced: 4 }) })).toBeNull();
  expect(moveTo({ state: 'bulk', counts: counts(bad, { attempted: 400, bounced: 80 }) })).toBe('all');
});

test('a trickle that goes well makes it bulk again, one that does not leaves it', () => {
  const start = counts({ attempted: 400, bounced: 80 }, { attempted: 400, bounced: 80 });
  const after = (attempted: number, bounced: number) =>
    moveTo({
      state: 'all',
      numbers: { ...NONE, measure: 'bounces', transactional_only: true },
      start,
      counts: counts({}, { attempted: 400 + attempted, bounced: 80 + bounced }),
    });
  expect(after(90, 0)).toBeNull();
  expect(after(96, 0)).toBe('bulk');
  expect(after(96, 2)).toBeNull();
});

test('after a release only what comes then counts; the next day begins at nothing', () => {
  const start = counts({ attempted: 500, bounced: 100 });
  expect(moveTo({ start, counts: counts({ attempted: 590, bounced: 190 }) })).toBeNull();
  expect(moveTo({ start, counts: counts({ attempted: 600, bounced: 150 }) })).toBe('bulk');
  expect(moveTo({ start, counts: { ...counts({ attempted: 120, bounced: 50 }), day: '2026-11-23' } })).toBe(
    'bulk',
  );
});

test('what a process remembers is added to, and a new test forgets it', () => {
  const first = judgeBrake(domain({ counts: counts({ attempted: 50_000, bounced: 500 }) }), null);
  const later = domain({ counts: counts({ attempted: 50_300, bounced: 600 }) });
  expect(judgeBrake(later, first.memory).move).not.toBeNull();
  expect(judgeBrake(later, null).move).toBeNull(); // without the floor: all of the day is good
  const released = domain({ start: counts({ attempted: 50_000, bounced: 500 }), counts: later.counts });
  expect(judgeBrake(released, first.memory).move?.to).toBe('bulk');
});
