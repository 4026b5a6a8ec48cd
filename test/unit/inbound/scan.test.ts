// What a scan means: the verdict of an answer of rspamd, and what a domain's policy makes of it.

import { expect, test } from 'vitest';

import { applyPolicy, judgeAnswer, notScanned } from '../../../core/inbound/scan.ts';

const ANSWER = { score: 0, required_score: 15, action: 'no action', symbols: {} };
const CLAM = { CLAM_VIRUS: { score: 0, options: ['Win.Test; x\r\ny'] } };

test.each([
  ['no action', 'clean'],
  ['greylist', 'clean'],
  ['soft reject', 'clean'],
  ['an action of the operator', 'clean'],
  ['add header', 'spam'],
  ['rewrite subject', 'spam'],
  ['quarantine', 'spam'],
  ['discard', 'spam'],
  ['reject', 'spam'],
])('%s is %s', (action, verdict) => {
  expect(judgeAnswer({ ...ANSWER, action })).toMatchObject({ verdict, action, reason: null, virus: null });
});

test('a virus counts more than spam, and its name fits into a header and a reply', () => {
  const judged = judgeAnswer({ ...ANSWER, action: 'reject', symbols: CLAM });
  expect(judged).toMatchObject({ verdict: 'virus', virus: 'Win.Test? x??y' });
  const nameless = judgeAnswer({ ...ANSWER, symbols: { CLAM_VIRUS: { score: 0 } } });
  expect(nameless.virus).toBe('CLAM_VIRUS');
  const away = judgeAnswer({ ...ANSWER, symbols: { CLAM_VIRUS_FAIL: { score: 0 } } });
  expect(away.verdict).toBe('clean');
});

test('the ten symbols with the largest scores, rounded to cents', () => {
  const symbols = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`S${n}`, { score: n / 3 - 5 }] as const),
  );
  const judged = judgeAnswer({ ...ANSWER, score: 1 / 3, symbols });
  expect(judged.score).toBe(0.33);
  expect(judged.symbols).toHaveLength(10);
  expect(judged.symbols[0]).toEqual({ name: 'S29', score: 4.67 });
});

test('what rspamd was told to skip is not scanned, unless it has an opinion all the same', () => {
  expect(judgeAnswer({ ...ANSWER, is_skipped: true })).toEqual(notScanned('skipped'));
  expect(judgeAnswer({ ...ANSWER, is_skipped: true, action: 'reject' }).verdict).toBe('spam');
});

test.each([
  ['clean', ['keep', 'keep', 'keep']],
  ['spam below rejection', ['keep', 'mark', 'mark']],
  ['spam to reject', ['keep', 'mark', 'refuse']],
  ['virus', ['keep', 'mark', 'refuse']],
  ['not scanned', ['keep', 'keep', 'keep']],
  ['no scanner', ['keep', 'keep', 'keep']],
] as const)('%s at domains that keep, mark and refuse', (what, fates) => {
  const scans = {
    clean: judgeAnswer(ANSWER),
    'spam below rejection': judgeAnswer({ ...ANSWER, action: 'add header' }),
    'spam to reject': judgeAnswer({ ...ANSWER, action: 'reject' }),
    virus: judgeAnswer({ ...ANSWER, symbols: CLAM }),
    'not scanned': notScanned('timeout'),
    'no scanner': null,
  };
  const policies = ['keep', 'mark', 'refuse'] as const;
  expect(policies.map((policy) => applyPolicy(policy, scans[what]))).toEqual(fates);
});
