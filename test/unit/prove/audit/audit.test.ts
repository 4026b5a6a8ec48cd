// Each rule of the auditor: silent on a run that kept its promise, and naming the fault where one is broken.

import { expect, test } from 'vitest';

import { audit } from '../../../../prove/audit/audit.ts';
import type { Rule } from '../../../../prove/audit/finding.ts';
import type { Entry } from '../../../../prove/journal.ts';
import {
  ask,
  at,
  cap,
  DAY,
  DOMAIN,
  event,
  fault,
  head,
  inOrder,
  listed,
  NEXT_DAY,
  offered,
  posted,
  transact,
} from './world.ts';

type Part = Entry | Entry[];

const READ = at(100_000, { kind: 'phase', phase: 'read', settled: true });

// One message: asked for, delivered, followed, listed.
const sent = (recipient: string, t = 1_000): Part[] => [
  ask(t, recipient),
  transact(t + 100, recipient),
  event(t + 200, recipient, 'delivered'),
  listed(100_002, recipient),
];
const findings = (...parts: Part[]) => audit(inOrder([head(), READ, ...parts]));
const rulesOf = (...parts: Part[]) => [...new Set(findings(...parts).map(({ rule }) => rule))];

test('a run that kept every promise has no findings', () => {
  expect(
    findings(...sent('a'), ...sent('b'), cap(50_000, 2, 2, DAY), ...[offered(1, 'in'), posted(90, 'in')]),
  ).toEqual([]);
});

test('the cap of a day, by the start of DATA and the store’s calendar', () => {
  expect(findings(...sent('a'), ...sent('b'), cap(50_000, 1, 1, DAY))).toMatchObject([
    { rule: 'cap', about: `${DOMAIN} ${DAY}`, what: expect.stringContaining('1 over its cap of 1') },
  ]);
  // The other side of midnight is another day, and a retry is no second message.
  const capped = [cap(50_000, 1, 1, DAY), cap(90_000, 1, 1, NEXT_DAY)];
  expect(findings(...sent('a'), ...sent('b', 70_000), ...capped)).toEqual([]);
  expect(findings(...sent('a'), transact(500, 'a', { reply: '451 later' }), ...capped)).toEqual([]);
});

test('a message that was tried on two days counts on both', () => {
  const late = [transact(60_900, 'a', { reply: '451 later' }), ...sent('a', 70_000), ...sent('b', 70_000)];
  expect(rulesOf(...late, cap(90_000, 1, 1, NEXT_DAY))).toEqual(['cap']);
});

test('a day on which mail waited uses all of its cap', () => {
  const jump = at(100_003, { kind: 'calendar', storeMs: Date.parse('2026-03-13'), since: 100_002 });
  const waits = { status: 'deferred', reason: 'warmup_cap', deferredUntil: '2026-03-13T00:00:00.000Z' };
  const waiting = [
    ask(1_000, 'w', { answer: { taken: [{ id: 'msg_w', recipient: 'w', ...waits }] } }),
    listed(100_004, 'w', { ...waits, deferReason: 'warmup_cap' }),
    jump,
  ];
  expect(findings(...waiting, cap(99_000, 5, 5, NEXT_DAY))).toEqual([]);
  expect(rulesOf(...waiting, cap(99_000, 5, 4, NEXT_DAY))).toEqual(['cap']);
  expect(findings(...waiting, cap(99_000, 5, 4, NEXT_DAY), fault(50_000, 60_000, 'redis'))).toEqual([]);
});

test('accepted mail has an end, or a reason and a time ahead', () => {
  const waiting = (more: object) => [
    ask(1_000, 'a'),
    listed(100_002, 'a', { status: 'deferred', deferReason: 'remote_4xx', ...more }),
  ];
  expect(findings(...waiting({ deferredUntil: '2026-03-11T00:10:00.000Z' }))).toEqual([]);
  expect(rulesOf(...waiting({ deferredUntil: '2026-03-11T00:00:02.000Z' }))).toEqual(['accepted']);
  expect(rulesOf(...waiting({ deferredUntil: null }))).toEqual(['accepted']);
  expect(rulesOf(ask(1_000, 'a'), listed(100_002, 'a', { status: 'queued' }))).toEqual(['accepted']);
  expect(rulesOf(ask(1_000, 'a'))).toEqual(['accepted']);
});

test('a delivery that no receiver confirmed is none', () => {
  const unconfirmed = [ask(1_000, 'a'), event(1_200, 'a', 'delivered'), listed(100_002, 'a')];
  expect(rulesOf(...unconfirmed)).toEqual(['accepted', 'events']);
});

test('a repeat needs a fault of its sender or of PostgreSQL before the verdict was recorded', () => {
  const again = transact(30_000, 'a', { sender: 'sender-2' });
  expect(rulesOf(...sent('a'), again)).toEqual(['repeats']);
  for (const target of ['sender-1', 'postgres'])
    expect(findings(...sent('a'), again, fault(1_105, 1_105, target)), target).toEqual([]);
  // Another sender's, another store's, or one that comes when the verdict was long recorded, explains nothing.
  for (const target of ['sender-2', 'redis', 'nats'])
    expect(rulesOf(...sent('a'), again, fault(1_105, 1_105, target)), target).toEqual(['repeats']);
  expect(rulesOf(...sent('a'), again, fault(20_000, 20_000, 'sender-1'))).toEqual(['repeats']);
});

test('every attempt has the same Message-ID', () => {
  const first = transact(500, 'a', { reply: '451 later', messageId: 'another' });
  expect(rulesOf(...sent('a'), first)).toEqual(['repeats']);
});

test('nothing is delivered that was not accepted', () => {
  expect(rulesOf(transact(1_000, 'a'))).toEqual(['unasked']);
  const refused = { outcome: 'refused', status: 422, taken: [] };
  expect(rulesOf(ask(1_000, 'a', { answer: refused }), transact(1_100, 'a'))).toEqual(['unasked']);
  const unknown = { outcome: 'unknown', status: 503, taken: [] };
  const once = [ask(1_000, 'a', { answer: unknown }), ...sent('a').slice(1)];
  expect(findings(...once)).toEqual([]);
  expect(rulesOf(...once, listed(100_003, 'a', { id: 'msg_second' }))).toContain('unasked');
});

test('a suppressed recipient gets no DATA', () => {
  const suppression = (t: number) =>
    ask(t, 'a', { request: { via: 'suppression' }, answer: { via: 'suppression', taken: [] } });
  expect(findings(...sent('a'), suppression(5_000))).toEqual([]);
  expect(findings(...sent('a', 5_000), suppression(4_900))).toEqual([]); // already on its way
  expect(rulesOf(...sent('a', 5_000), suppression(1_000))).toEqual(['suppression']);
});

test('what is followed is what happened, once and in order', () => {
  const [followed, inList] = event(1_200, 'a', 'delivered') as [Entry, Entry];
  const others = sent('a').filter((part) => !Array.isArray(part) || part[0]?.kind !== 'event');
  expect(rulesOf(...sent('b'), ...others, inList)).toEqual(['events']); // missing
  expect(rulesOf(...sent('b'), ...others, followed)).toEqual(['events']); // invented
  expect(rulesOf(...sent('a'), followed)).toEqual(['events']); // twice
  expect(rulesOf(...sent('a'), event(2_000, 'a', 'deferred'))).toEqual(['events']); // after its end
  expect(findings(...sent('a'), event(1_050, 'a', 'deferred'))).toEqual([]);
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

test('the quota counts what was accepted', () => {
  const quota = (used: number, most = 1_000): Entry =>
    at(100_005, {
      kind: 'quota',
      tenant: 'tnt_1',
      used,
      cap: most,
      resetsAt: '2026-04-01T00:00:00.000Z',
      asked: 100_004,
    });
  expect(findings(...sent('a'), quota(1))).toEqual([]);
  expect(rulesOf(...sent('a'), quota(2))).toEqual(['quota']);
  expect(rulesOf(...sent('a'), quota(0))).toEqual(['quota']);
  expect(rulesOf(...sent('a'), ...sent('b'), quota(2, 1))).toEqual(['quota']);
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
  expect(rates(...six, batch(10_000, 1), fault(5_000, 6_000, 'redis'))).toEqual([]);
  expect(rates(...six, batch(67_000, 100))).toEqual([]);
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

test('a run that does not come to rest says so', () => {
  const moving = at(100_000, { kind: 'phase', phase: 'read', settled: false });
  expect(audit(inOrder([head(), moving])).map(({ rule }) => rule)).toEqual(['settled'] satisfies Rule[]);
});
