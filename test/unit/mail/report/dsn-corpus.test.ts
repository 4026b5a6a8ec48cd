// Bounces that others collected and labelled: what we read out of them agrees well enough.

import { expect, test } from 'vitest';

import { compareCorpus } from '../../../../bench/bounce-corpus.ts';

test('every sample is read, with any line ends alike, and agrees with its labels well enough', async () => {
  const { standard, free, others, lineEndsMatter, samples, disagreements } = await compareCorpus();
  expect(samples).toBe(314);
  expect(lineEndsMatter).toEqual([]);
  const wrong = disagreements.join('\n');
  expect(standard.sameKind / standard.labels, wrong).toBeGreaterThanOrEqual(0.95);
  expect(free.sameKind / free.labels, wrong).toBeGreaterThanOrEqual(0.85);
  expect(standard.falseHard + free.falseHard, wrong).toBe(0);
  expect(others.right / others.samples, wrong).toBeGreaterThan(0.9);
});
