// What waits, what passes what, and the service's own mail: the auditor is silent on a run that kept its promise, and names what is
// broken. The store's midnight is at t = 60,000.

import { expect, test } from 'vitest';

import type { Entry } from '../../../../prove/journal.ts';
import { findings, rulesOf, sent, type Part } from './small-run.ts';
import { ask, at, cap, DAY, DOMAIN, fault, listed, NEXT_DAY, OWNER, transact } from './world.ts';

const MIDNIGHT = `${NEXT_DAY}T00:00:00.000Z`;
const AFTER_THAT = '2026-03-12T00:00:00.000Z';

const waits = (
  t: number,
  recipient: string,
  until: string | null = MIDNIGHT,
  reason = 'warmup_cap',
): Entry => {
  const about = { tenant: 'tnt_1', id: `msg_${recipient}`, recipient, domain: DOMAIN };
  return at(t, { kind: 'waiting', ...about, reason, until, asked: t - 1 });
};

// Accepted at `t`, told to wait for the cap, and delivered later.
const deferred = (t: number, recipient: string, deliveredAt: number): Part[] => [
  ask(t, recipient, {
    answer: {
      taken: [
        {
          id: `msg_${recipient}`,
          recipient,
          status: 'deferred',
          reason: 'warmup_cap',
          deferredUntil: MIDNIGHT,
        },
      ],
    },
  }),
  ...sent(recipient, deliveredAt - 100).slice(1),
];

const changed = (t: number, tier?: number, outcome = 'taken'): Entry[] =>
  ask(t, 'nobody', {
    request: { via: 'change', recipients: [], contents: [], ...(tier !== undefined && { tier }) },
    answer: { via: 'change', outcome, taken: [] },
  });

test('mail leaves at the time that was shown, and not long after', () => {
  expect(findings(...deferred(1_000, 'a', 60_500), waits(5_000, 'a'))).toEqual([]);
  const late = [...deferred(1_000, 'a', 90_000), waits(5_000, 'a')];
  expect(findings(...late, waits(70_000, 'a'))).toEqual([]); // within what a release may take
  expect(rulesOf(...late, waits(80_000, 'a'))).toEqual(['why']);
  expect(findings(...late, waits(80_000, 'a'), fault(66_000, 70_000, 'scheduler-1'))).toEqual([]);
});

test('mail that waits for its cap leaves before its time only when an operator or the ramp has changed the cap', () => {
  const early = [...deferred(1_000, 'a', 30_000), waits(5_000, 'a')];
  expect(rulesOf(...early)).toEqual(['why']);
  expect(findings(...early, changed(29_000, 1))).toEqual([]);
  expect(rulesOf(...early, changed(29_000, 1, 'refused'))).toEqual(['why']);
  expect(rulesOf(...early, changed(40_000, 1))).toEqual(['why']);
  expect(findings(...early, cap(4_000, 50, 50, DAY), cap(28_000, 100, 50, DAY))).toEqual([]);
  expect(findings(...early, cap(28_000, 50, 40, DAY))).toEqual([]); // what was kept for older mail is free again
  expect(rulesOf(...early, cap(28_000, 50, 50, DAY))).toEqual(['why']);
  const forRetry = waits(5_000, 'a', MIDNIGHT, 'remote_4xx');
  expect(findings(...deferred(1_000, 'a', 30_000), forRetry)).toEqual([]);
});

test('newer mail does not pass older mail of its domain', () => {
  const older = deferred(1_000, 'old', 60_500);
  expect(rulesOf(...older, waits(50_000, 'old'), ...sent('new', 40_000))).toEqual(['order']);
  expect(findings(...older, waits(30_000, 'old'), ...sent('new', 40_000))).toEqual([]); // it may have been admitted since
  expect(findings(...older, waits(50_000, 'old'), ...sent('before', 500))).toEqual([]);
  const other = ask(40_000, 'other', { request: { domain: 'held.test' } });
  expect(findings(...older, waits(50_000, 'old'), other, ...sent('other', 40_000).slice(1))).toEqual([]);
  const acrossMidnight = { ...waits(62_000, 'old'), asked: 50_000 } as Entry; // it may have waited at midnight alone
  expect(findings(...older, acrossMidnight, ...sent('new', 40_000))).toEqual([]);
  // Mail that was tried waits for another admission, which it needs only later.
  const tried = transact(20_000, 'old', { reply: '451 later' });
  const mayPass = findings(...older, tried, waits(50_000, 'old'), ...sent('new', 40_000));
  expect(mayPass.filter(({ rule }) => rule === 'order')).toEqual([]);
});

test('a day that begins admits new mail beside what waited for it', () => {
  const both = [...deferred(1_000, 'old', 61_500), waits(50_000, 'old'), ...sent('new', 60_400)];
  expect(findings(...both)).toEqual([]);
  expect(rulesOf(...both.slice(0, -4), waits(62_000, 'old', AFTER_THAT), ...sent('new', 60_400))).toContain(
    'order',
  );
});

test('who asks for a new password gets mail within two minutes', () => {
  const asked = ask(10_000, 'p', {
    request: { via: 'reset', contents: [] },
    answer: { via: 'reset', taken: [] },
  });
  const later = listed(200_000, 'p'); // the run lasted that long
  expect(findings(asked, transact(100_000, 'p'), later).filter(({ rule }) => rule === 'system')).toEqual([]);
  expect(rulesOf(asked, transact(140_000, 'p'), later)).toContain('system');
  expect(rulesOf(asked, later)).toContain('system');
  expect(findings(asked)).toEqual([]); // nobody waited for two minutes
});

test('the service’s own mail is counted in no quota', () => {
  const quota = (used: number) => ({ ...about, used, asked: 100_004 });
  const about = {
    t: 100_005,
    kind: 'quota',
    tenant: 'tnt_1',
    cap: 1_000,
    resetsAt: '2026-04-01T00:00:00.000Z',
  } as const;
  const notice = [transact(1_000, OWNER), listed(100_002, OWNER)];
  const found = (used: number) => findings(...sent('a'), ...notice, quota(used)).map(({ rule }) => rule);
  expect(found(1)).not.toContain('quota');
  expect(found(2)).toContain('quota');
});

test('the service writes to owners unasked, and to nobody else', () => {
  const notice = (to: string) => [transact(1_000, to), transact(2_000, to, { messageId: 'another' })];
  expect(findings(...notice(OWNER))).toEqual([]);
  expect(rulesOf(...notice('somebody'))).toContain('unasked');
});

test('the cap of a day is the highest that an operator set for a part of it', () => {
  const many = Array.from({ length: 60 }, (_, n) => sent(`r${n}`, 40_000 + n)).flat();
  const read = cap(10_000, 50, 0, DAY);
  expect(rulesOf(...many, read)).toEqual(['cap']);
  expect(findings(...many, read, changed(30_000, 1))).toEqual([]);
  expect(rulesOf(...many, read, changed(62_000, 1))).toEqual(['cap']);
  const nextDay = Array.from({ length: 60 }, (_, n) => sent(`r${n}`, 61_000 + n)).flat();
  expect(findings(...nextDay, cap(65_000, 50, 60, NEXT_DAY), changed(30_000, 1))).toEqual([]);
});
