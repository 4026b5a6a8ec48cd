// How messages and the run end, and what is followed: the auditor is silent on a run that kept its promise, and names what is broken.

import { expect, test } from 'vitest';

import { audit } from '../../../../prove/audit/audit.ts';
import type { Rule } from '../../../../prove/audit/finding.ts';
import type { EventSeen } from '../../../../prove/facts/reads.ts';
import type { Entry } from '../../../../prove/journal.ts';
import { END, findings, later, READ, rulesOf, sent } from './small-run.ts';
import {
  ask,
  at,
  cap,
  DAY,
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

const queued = (id: string) => ({ id, status: 'queued', reason: null, deferredUntil: null });

test('a run that kept every promise has no findings', () => {
  expect(
    findings(...sent('a'), ...sent('b'), cap(50_000, 2, 2, DAY), ...[offered(1, 'in'), posted(90, 'in')]),
  ).toEqual([]);
});

test('accepted mail has an end, or a reason and a time ahead', () => {
  const waiting = (more: object) => [
    ask(1_000, 'a'),
    listed(100_002, 'a', { status: 'deferred', deferReason: 'network', ...more }),
  ];
  expect(findings(...waiting({ deferredUntil: '2026-03-11T00:10:00.000Z' }))).toEqual([]);
  expect(rulesOf(...waiting({ deferredUntil: '2026-03-11T00:00:02.000Z' }))).toEqual(['accepted']);
  expect(rulesOf(...waiting({ deferredUntil: null }))).toEqual(['accepted']);
  expect(rulesOf(ask(1_000, 'a'), listed(100_002, 'a', { status: 'queued' }))).toEqual(['accepted']);
  expect(rulesOf(ask(1_000, 'a'))).toEqual(['accepted']);
});

test('an end is believed only when something else shows it', () => {
  const ended = (status: string, more: object = {}) => [
    ask(1_000, 'a'),
    listed(100_002, 'a', { status, ...more }),
  ];
  expect(rulesOf(...ended('cancelled'), event(1_200, 'a', 'cancelled'))).toEqual(['accepted']);
  expect(rulesOf(...ended('bounced'))).toContain('accepted');
  const bounce = event(1_200, 'a', 'bounce');
  expect(findings(...ended('bounced'), bounce, transact(1_100, 'a', { reply: '550 no' }))).toEqual([]);
  const over = event(1_200, 'a', 'expired');
  expect(rulesOf(...ended('expired'), over)).toEqual(['accepted']);
  expect(findings(...ended('expired', { createdAt: '2026-03-06T23:00:00.000Z' }), over)).toEqual([]);
  const dropped = ended('dropped', { reason: 'suppressed' });
  const gone = event(1_020, 'a', 'dropped');
  expect(rulesOf(...dropped, gone)).toEqual(['accepted']);
  const suppressed = ask(500, 'a', { request: { via: 'suppression' }, answer: { taken: [] } });
  expect(findings(...dropped, gone, suppressed)).toEqual([]);
  expect(rulesOf(...ended('dropped', { reason: 'content_missing' }), gone, suppressed)).toEqual(['accepted']);
});

test('two messages to one recipient need two deliveries', () => {
  const second = { answer: { taken: [{ ...queued('msg_b'), recipient: 'a' }] } };
  const both = [...sent('a'), ask(1_001, 'a', second), listed(100_003, 'a', { id: 'msg_b' })];
  expect(rulesOf(...both)).toContain('accepted');
  expect(rulesOf(...both, transact(3_000, 'a', { messageId: 'another' }))).not.toContain('accepted');
});

test('a wait for a 4xx needs one, and ends within the age limit; no wait is longer than a day', () => {
  const waiting = (deferReason: string, deferredUntil: string) => [
    ask(1_000, 'a'),
    listed(100_002, 'a', { status: 'deferred', deferReason, deferredUntil }),
  ];
  const soon = '2026-03-11T00:10:00.000Z';
  const refused = later('a', 1_100);
  expect(findings(...waiting('remote_4xx', soon), ...refused)).toEqual([]);
  expect(rulesOf(...waiting('remote_4xx', soon))).toEqual(['accepted']);
  expect(rulesOf(...waiting('network', '2026-03-12T00:10:00.000Z'))).toEqual(['accepted']);
  const days = at(90_000, { kind: 'calendar', storeMs: Date.parse('2026-03-14T23:59:00Z'), since: 89_999 });
  expect(rulesOf(...waiting('remote_4xx', '2026-03-15T06:10:00.000Z'), ...refused, days)).toEqual([
    'accepted',
  ]);
  // Three days without an admission do not count.
  const again = transact(95_000, 'a', { reply: '451 later' });
  const all = rulesOf(...waiting('remote_4xx', '2026-03-15T06:10:00.000Z'), ...refused, days, again);
  expect(all).not.toContain('accepted');
});

test('a delivery that no receiver confirmed is none', () => {
  const unconfirmed = [ask(1_000, 'a'), event(1_200, 'a', 'delivered'), listed(100_002, 'a')];
  expect(rulesOf(...unconfirmed)).toEqual(['accepted', 'events']);
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

test('a follower who saw nothing has missed what is listed', () => {
  const inList = event(1_200, 'a', 'delivered')[1]!;
  const others = sent('a').filter((part) => !Array.isArray(part) || part[0]?.kind !== 'event');
  expect(rulesOf(...others, inList)).toEqual(['events']);
  expect(findings(...others)).toMatchObject([{ rule: 'events', what: expect.stringContaining('0 times') }]);
});

test('what happens while the end is read may be followed or listed alone', () => {
  const late = (t: number, how: 'followed' | 'listed', occurredAt: string): Entry => ({
    ...(event(t, 'b', 'open')[0] as EventSeen & { t: number }),
    how,
    occurredAt,
  });
  expect(findings(...sent('a'), late(105_000, 'followed', NEXT_DAY))).toEqual([]);
  expect(rulesOf(...sent('a'), late(99_000, 'followed', NEXT_DAY))).toEqual(['events']);
  expect(findings(...sent('a'), late(105_000, 'listed', '2026-03-11T00:00:46.000Z'))).toEqual([]);
  expect(rulesOf(...sent('a'), late(105_000, 'listed', '2026-03-11T00:00:44.000Z'))).toEqual(['events']);
});

test('each refusal on the wire has its event, unless a fault may have eaten its record', () => {
  const refused = [...sent('a', 40_000), transact(1_000, 'a', { reply: '451 later' })];
  expect(findings(...refused)).toMatchObject([{ what: expect.stringContaining('0 events say deferred') }]);
  expect(findings(...refused, event(1_020, 'a', 'deferred'))).toEqual([]);
  expect(findings(...refused, fault(1_020, 1_020, 'sender-1'))).toEqual([]);
  const bounced = [
    ask(1_000, 'a'),
    transact(1_100, 'a', { reply: '550 no' }),
    listed(100_002, 'a', { status: 'bounced' }),
  ];
  expect(rulesOf(...bounced)).toEqual(['events']);
  expect(findings(...bounced, event(1_200, 'a', 'bounce'))).toEqual([]);
});

test('a run that was cut off, met trouble or saw too few days is not whole', () => {
  expect(audit(inOrder([head(), READ])).map(({ rule }) => rule)).toEqual(['whole']);
  expect(rulesOf(at(50_000, { kind: 'trouble', what: 'GET /whoami: 404' }))).toEqual(['whole']);
  const long = head().map((one) => (one.kind === 'run' ? { ...one, minutes: 20 } : one));
  expect(audit(inOrder([long, READ, END]))).toMatchObject([{ what: expect.stringContaining('2 days') }]);
});

test('a run that does not come to rest says so', () => {
  const moving = at(100_000, { kind: 'phase', phase: 'read', settled: false });
  expect(audit(inOrder([head(), moving, END])).map(({ rule }) => rule)).toEqual(['settled'] satisfies Rule[]);
});

test('mail of a paused domain waits without a time, no other mail does', () => {
  const waiting = (state: string) => [
    ask(1_000, 'a'),
    event(1_100, 'a', 'deferred'),
    listed(100_002, 'a', { status: 'deferred', deferReason: 'domain_paused', deferredUntil: null }),
    { ...cap(99_000, 50, 0, NEXT_DAY), state } as Entry,
  ];
  expect(findings(...waiting('paused')).filter(({ rule }) => rule === 'accepted')).toEqual([]);
  expect(rulesOf(...waiting('active'))).toContain('accepted');
});
