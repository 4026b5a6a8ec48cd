// What is counted by key and by month, and inbound mail: the auditor is silent on a run that kept its promise, and names what is broken.

import { expect, test } from 'vitest';

import type { Entry } from '../../../../prove/journal.ts';
import { findings, type Part, rulesOf, sent } from './small-run.ts';
import { ask, at, DAY, fault, listed, NEXT_DAY, offered, posted, transact } from './world.ts';

const quota = (used: number, most = 1_000, t = 100_005, resetsAt = '2026-04-01'): Entry =>
  at(t, {
    kind: 'quota',
    tenant: 'tnt_1',
    used,
    cap: most,
    resetsAt: `${resetsAt}T00:00:00.000Z`,
    asked: t - 1,
  });

test('a key has one effect and one answer', () => {
  const keyed = (t: number, id: string, replayed: boolean) =>
    ask(t, 'a', {
      request: { once: 'key 1' },
      answer: {
        replayed,
        taken: [{ id, recipient: 'a', status: 'queued', reason: null, deferredUntil: null }],
      },
    });
  const delivered = sent('a').slice(1);
  expect(findings(keyed(1_000, 'msg_a', false), keyed(1_050, 'msg_a', true), ...delivered)).toEqual([]);
  const second = listed(100_003, 'a', { id: 'msg_b' });
  const twice = [keyed(1_000, 'msg_a', false), keyed(1_050, 'msg_b', false), ...delivered];
  expect(rulesOf(...twice, second)).toContain('idempotency');
  // The second answer names the same message, and says that it is new.
  const fresh = [keyed(1_000, 'msg_a', false), keyed(1_050, 'msg_a', false), ...delivered];
  expect(rulesOf(...fresh)).toEqual(['idempotency']);
  const unknown = ask(1_000, 'a', { request: { once: 'key 1' }, answer: { outcome: 'unknown', taken: [] } });
  expect(rulesOf(unknown, keyed(1_050, 'msg_a', false), ...delivered, second)).toContain('idempotency');
});

test('a key is one piece of work for 24 hours by the store’s clock', () => {
  const jump = (t: number, store: string) =>
    at(t, { kind: 'calendar', storeMs: Date.parse(store), since: t });
  const keyed = (t: number, id: string) =>
    ask(t, 'a', {
      request: { once: 'key 1' },
      answer: { taken: [{ id, recipient: 'a', status: 'queued', reason: null, deferredUntil: null }] },
    });
  const both = [
    keyed(1_000, 'msg_a'),
    keyed(80_000, 'msg_b'),
    transact(1_100, 'a'),
    transact(80_100, 'a', { messageId: 'b' }),
  ];
  const all = [...both, listed(100_002, 'a'), listed(100_003, 'a', { id: 'msg_b' })];
  expect(rulesOf(...all)).toContain('idempotency');
  expect(rulesOf(...all, jump(70_000, '2026-03-12T12:00:00Z'))).not.toContain('idempotency');
});

test('a request that a frozen process holds for longer than a key lives is another piece of work', () => {
  const asked = (t: number, answer?: object) =>
    ask(t, 'a', { request: { once: 'key 1' }, ...(answer && { answer }) });
  const held = asked(1_200, { outcome: 'unknown', status: null, taken: [] });
  const all = [...asked(1_000), held, transact(1_100, 'a'), transact(80_100, 'a', { messageId: 'b' })].flat();
  const second = (createdAt: string) => listed(100_003, 'a', { id: 'msg_b', createdAt });
  const first = listed(100_002, 'a');
  expect(rulesOf(...all, first, second('2026-03-11T23:59:31.000Z'))).not.toContain('idempotency');
  expect(rulesOf(...all, first, second('2026-03-11T23:59:29.000Z'))).toContain('idempotency');
});

test('the quota counts what was accepted', () => {
  expect(findings(...sent('a'), quota(1))).toEqual([]);
  expect(rulesOf(...sent('a'), quota(2))).toEqual(['quota']);
  expect(rulesOf(...sent('a'), quota(0))).toEqual(['quota']);
  expect(rulesOf(...sent('a'), ...sent('b'), quota(2, 1))).toEqual(['quota']);
});

test('what the quota says on the way is what was accepted so far', () => {
  const late = sent('b', 50_000).map((one) =>
    'kind' in one ? { ...one, createdAt: `${DAY}T23:59:50.000Z` } : one,
  );
  expect(findings(...sent('a'), ...late, quota(1, 9, 30_000), quota(2, 9))).toEqual([]);
  expect(rulesOf(...sent('a'), ...late, quota(2, 9, 30_000), quota(2, 9))).toEqual(['quota']);
  expect(rulesOf(...sent('a'), ...late, quota(0, 9, 30_000), quota(2, 9))).toEqual(['quota']);
  const told = (used: number) =>
    ask(60_000, 'a', { request: { once: 'k' }, answer: { quota: { used, cap: 9 } } });
  const first = ask(1_000, 'a', { request: { once: 'k' } });
  const [, ...rest] = sent('a');
  expect(rulesOf(first, ...rest, quota(1), told(3))).toContain('quota');
});

test('a send right after the calendar was moved counts, though the move is noted later', () => {
  const jump = (since: number): Entry =>
    at(72_000, { kind: 'calendar', storeMs: Date.parse(`${NEXT_DAY}T12:00:00Z`), since });
  const moved = [
    ...sent('b', 70_100).slice(0, -1),
    listed(100_002, 'b', { createdAt: `${NEXT_DAY}T11:59:58.200Z` }),
  ];
  const onTheWay = [...sent('a'), ...moved, quota(2, 9)];
  expect(rulesOf(...onTheWay, jump(69_900), quota(2, 9, 70_200))).not.toContain('quota');
  expect(rulesOf(...onTheWay, jump(69_900), quota(3, 9, 70_200))).toContain('quota');
  expect(rulesOf(...onTheWay, jump(71_000), quota(2, 9, 70_200))).toContain('quota'); // before the move
});

test('the quota of a month that is over was not passed, and refuses none while some is left', () => {
  const march = (recipient: string) => [
    ...sent(recipient).slice(0, -1),
    listed(100_002, recipient, { createdAt: `${DAY}T23:59:01.000Z` }),
  ];
  const april = quota(0, 1, 100_005, '2026-05-01');
  expect(findings(...march('a'), april)).toEqual([]);
  expect(rulesOf(...march('a'), ...march('b'), april)).toEqual(['quota']);
  const refused = (t: number) =>
    ask(t, 'x', { answer: { outcome: 'refused', status: 402, error: 'quota_exceeded', taken: [] } });
  expect(findings(...sent('a'), refused(40_000), quota(1, 1))).toEqual([]);
  expect(rulesOf(...sent('a'), refused(40_000), quota(1, 2))).toEqual(['quota']);
});

test('the rate limit lets 600 through in any 60 s, and refuses none below', () => {
  const limited = { outcome: 'refused', status: 429, error: 'rate_limited', taken: [] };
  const batch = (t: number, n: number, answer: object = { taken: [] }): Entry[] =>
    ask(t, `b${t}`, {
      request: { via: 'batch', recipients: Array.from({ length: n }, () => `b${t}`) },
      answer,
    });
  const rates = (...parts: Part[]) => findings(...parts).filter(({ rule }) => rule === 'rate-limit');
  const six = [0, 1, 2, 3, 4, 5].map((i) => batch(1_000 + i * 1_000, 100));
  expect(rates(...six, batch(10_000, 1, limited))).toEqual([]);
  expect(rates(...six, batch(10_000, 1))).toMatchObject([{ what: expect.stringContaining('601') }]);
  const apis = ['one', 'two'].map((to) => ask(500, to, { request: { to, apiKey: 'other' } }));
  expect(rates(...apis, ...six, batch(10_000, 1), fault(5_000, 6_000, 'redis'))).toEqual([]);
  expect(rates(...six, batch(67_000, 100))).toEqual([]);
  // Only what was taken is sure to be counted, and what was never asked is not counted.
  expect(rates(...six, batch(10_000, 1, { outcome: 'refused', status: 503, taken: [] }))).toEqual([]);
  const never = { outcome: 'refused', status: 0, error: 'not connected', taken: [] };
  expect(rates(...six.slice(1), batch(9_000, 100, never), batch(10_000, 100, limited))).toHaveLength(1);
  // Two apis that count alone allow twice as many, and no more.
  const slow = batch(9_000, 1).map((one) => (one.kind === 'answer' ? { ...one, t: 9_700 } : one));
  const twelve = [11, 12, 13, 14, 15, 16].map((i) => batch(1_000 * i, 100));
  expect(rates(...apis, ...six, slow, ...twelve.slice(1))).toEqual([]);
  expect(rates(...apis, ...six, slow, ...twelve)).toMatchObject([{ what: expect.stringContaining('1200') }]);
  expect(rates(...apis, ...six, ...twelve, batch(20_000, 1), fault(5_000, 6_000, 'redis'))).toHaveLength(1);
  expect(rates(...six.slice(1), batch(10_000, 100, limited))).toHaveLength(1);
  const paused = { ...limited, status: 451, error: '4.7.1 Sending from shop.test is paused: bounces' };
  expect(rates(batch(10_000, 1, paused))).toEqual([]);
});

test('inbound mail arrives once, byte for byte', () => {
  expect(rulesOf(offered(1_000, 'in'))).toEqual(['inbound']); // lost
  expect(rulesOf(offered(1_000, 'in'), posted(1_100, 'in', { sha256: 'other' }))).toEqual(['inbound']);
  expect(
    rulesOf(
      offered(1_000, 'in'),
      posted(1_100, 'in'),
      posted(1_200, 'in', { message: 'inm 2', delivery: 'd' }),
    ),
  ).toEqual(['inbound']);
  const again = [offered(1_000, 'in'), posted(1_100, 'in'), posted(31_000, 'in', { attempt: 2 })];
  expect(rulesOf(...again)).toEqual(['inbound']);
  expect(findings(...again, fault(1_150, 1_150, 'inbound-1'))).toEqual([]);
  expect(rulesOf(offered(1_000, 'in'), posted(1_100, 'in', { signed: false }))).toEqual(['inbound']);
  expect(
    findings(
      offered(1_000, 'in'),
      posted(1_100, 'in', { status: 503 }),
      posted(31_000, 'in', { attempt: 2 }),
    ),
  ).toEqual([]);
});

test('a webhook comes again after its gap or what the endpoint asked for, unless the answer may not have been recorded', () => {
  const refused = (status: number, again: number, more: object = {}) => [
    offered(1_000, 'in'),
    posted(1_100, 'in', { status, ...more }),
    posted(again, 'in', { attempt: 2 }),
  ];
  expect(findings(...refused(503, 31_100))).toEqual([]);
  expect(findings(...refused(503, 20_000))).toMatchObject([
    {
      rule: 'early',
      about: 'dlv in',
      what: expect.stringContaining('18.9 s after "503", and 30 s is the least'),
    },
  ]);
  expect(findings(...refused(503, 20_000), fault(1_200, 1_300, 'inbound-1', 'kill'))).toEqual([]);
  expect(rulesOf(...refused(429, 31_100, { retryAfterSeconds: 45 }))).toEqual(['early']);
  expect(findings(...refused(429, 46_100, { retryAfterSeconds: 45 }))).toEqual([]);
});
