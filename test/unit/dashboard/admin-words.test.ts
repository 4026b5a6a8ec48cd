// What the operators' pages say before an act, and about a job.

import { expect, test } from 'vitest';

import { TIER_CAPS as CORE_CAPS } from '../../../core/warmup/tiers.ts';
import { jobState, runResult, sayDuration } from '../../../dashboard/src/pages/admin/job-words.ts';
import { effectsOf, TIER_CAPS } from '../../../dashboard/src/pages/admin/override-effects.ts';

test('the page knows the caps that the warm-up knows', () => {
  expect(TIER_CAPS).toEqual(CORE_CAPS);
});

test('an override says what it does before it is done', () => {
  const at = { tier: 3, used: 240, state: 'active' };
  expect(effectsOf('advance', at, 0)).toEqual({
    sentences: ['Tier 3 becomes 4, and today’s cap rises at once from 500 to 1,000.'],
    warn: false,
  });
  const far = effectsOf('set', { ...at, state: 'paused' }, 9);
  expect(far.warn).toBe(true);
  expect(far.sentences.join(' ')).toMatch(/to 50,000.*skips tiers.*stays paused/);
  expect(effectsOf('set', at, 1).sentences[1]).toBe('240 are used today: no slot is left until tomorrow.');
  expect(effectsOf('set', at, 3).sentences[0]).toMatch(/tier 3 already/);
  expect(effectsOf('advance', { ...at, tier: 10 }, 0).sentences[0]).toMatch(/no tier 11/);
  expect(effectsOf('resume', at, 0).warn).toBe(false);
});

test('a run is said in words', () => {
  expect(runResult('{"launched":2,"frozen":0,"manual":true}')).toEqual({
    text: 'launched 2, frozen 0',
    byHand: true,
  });
  expect(runResult('{"partitions_made":[],"deleted":{"sessions":3,"tokens":0}}').text).toBe(
    'partitions made 0, deleted (sessions 3)',
  );
  expect(runResult('{}').text).toBe('nothing to report');
  expect(runResult('not json')).toEqual({ text: 'not json', byHand: false });
  expect([820, 12_000, 200_000].map(sayDuration)).toEqual(['820 ms', '12 s', '3 min']);
});

test('a slot that is long open is late', () => {
  const slot = '2026-11-21T02:00:00.000Z';
  expect(jobState(null, 0)).toBe('in time');
  expect(jobState(slot, Date.parse(slot) + 60_000)).toBe('due');
  expect(jobState(slot, Date.parse(slot) + 3_600_000)).toBe('late');
});
