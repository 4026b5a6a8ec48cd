// Texts of the administrators' pages: the effect of an override, the status and result of jobs.

import { expect, test } from 'vitest';

import { TIER_CAPS as CORE_CAPS } from '../../../core/warmup/tiers.ts';
import { durationText, jobStatus, runResult } from '../../../dashboard/src/pages/admin/job-words.ts';
import { effectsOf, TIER_CAPS } from '../../../dashboard/src/pages/admin/override-effects.ts';

test('the page knows the caps that the warm-up knows', () => {
  expect(TIER_CAPS).toEqual(CORE_CAPS);
});

test('an override explains its effect before it is made', () => {
  const at = { tier: 3, used: 240, state: 'active' };
  expect(effectsOf('advance', at, 0)).toEqual({
    sentences: [
      'Tier 3 changes to 4. Today’s cap rises immediately from 500 to 1,000 messages.',
      'Messages that wait for the cap are sent at once, before newer ones.',
    ],
    warn: false,
  });
  const far = effectsOf('set', { ...at, state: 'paused' }, 9);
  expect(far.warn).toBe(true);
  expect(far.sentences.join(' ')).toMatch(/to 50,000.*skips tiers.*stays paused/);
  expect(effectsOf('set', at, 1).sentences[1]).toBe(
    '240 messages were sent today, so nothing more is sent until 00:00 UTC.',
  );
  expect(effectsOf('set', at, 3).sentences[0]).toMatch(/already at tier 3/);
  expect(effectsOf('advance', { ...at, tier: 10 }, 0).sentences[0]).toMatch(/no tier 11/);
  expect(effectsOf('resume', at, 0).warn).toBe(false);
  expect(effectsOf('resume', at, 0).sentences[0]).toBe(
    'Sending resumes at tier 3. Messages that wait are released at once, up to today’s cap: 260 are left.',
  );
  expect(effectsOf('resume', { ...at, used: 500 }, 0).sentences[0]).toMatch(/used up.*from 00:00 UTC/);
});

test('the result of a run is text', () => {
  expect(runResult('{"launched":2,"frozen":0,"manual":true}')).toEqual({
    text: 'launched 2, frozen 0',
    startedManually: true,
  });
  expect(runResult('{"partitions_made":[],"deleted":{"sessions":3,"tokens":0}}').text).toBe(
    'partitions made 0, deleted (sessions 3)',
  );
  expect(runResult('{}').text).toBe('nothing to report');
  expect(runResult('not json')).toEqual({ text: 'not json', startedManually: false });
  expect([820, 12_000, 200_000].map(durationText)).toEqual(['820 ms', '12 s', '3 min']);
});

test('a run that is long overdue is late', () => {
  const runTime = '2026-11-21T02:00:00.000Z';
  expect(jobStatus(null, 0)).toBe('on time');
  expect(jobStatus(runTime, Date.parse(runTime) + 60_000)).toBe('due');
  expect(jobStatus(runTime, Date.parse(runTime) + 3_600_000)).toBe('late');
});
