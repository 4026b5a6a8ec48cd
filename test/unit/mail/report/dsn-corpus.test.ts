// Bounces that others collected and labelled. They are not part of this project: without them these tests skip.

import { describe, expect, test } from 'vitest';

import { compareCorpus, corpusFolder } from '../../../../bench/bounce-corpus.ts';

const folder = corpusFolder(process.env);
const missing = 'the bounce corpus is not here; set BOUNCE_CORPUS to its folder';
if (folder === null) console.warn(`skipped: ${missing}`);

describe.skipIf(folder === null)(`the bounce corpus${folder === null ? ` (${missing})` : ''}`, () => {
  test('every sample is read, with any line ends alike, and agrees with its labels well enough', () => {
    const { standard, free, others, lineEndsMatter, samples, disagreements } = compareCorpus(folder!);
    expect(samples).toBeGreaterThan(100);
    expect(lineEndsMatter).toEqual([]);
    console.log(disagreements.join('\n'));
    expect(standard.sameKind / standard.labels).toBeGreaterThanOrEqual(0.95);
    expect(free.sameKind / free.labels).toBeGreaterThanOrEqual(0.85);
    expect(standard.falseHard + free.falseHard).toBe(0);
    expect(others.right / others.samples).toBeGreaterThan(0.9);
  });
});
