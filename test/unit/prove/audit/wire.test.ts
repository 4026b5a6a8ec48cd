// What the receiving side sees: the auditor is silent on a run that kept its promise, and names what is broken.

import { expect, test } from 'vitest';

import { audit } from '../../../../prove/audit/audit.ts';
import type { Entry } from '../../../../prove/journal.ts';
import { END, findings, later, type Part, READ, rulesOf, sent } from './small-run.ts';
import {
  ask,
  at,
  cap,
  closed,
  DAY,
  DOMAIN,
  event,
  fault,
  head,
  HELD,
  inOrder,
  listed,
  NEXT_DAY,
  transact,
} from './world.ts';

test('the cap of a day, by the start of DATA and the store’s calendar', () => {
  expect(findings(...sent('a'), ...sent('b'), cap(50_000, 1, 1, DAY))).toMatchObject([
    { rule: 'cap', about: `${DOMAIN} ${DAY}`, what: expect.stringContaining('1 over its cap of 1') },
  ]);
  // The other side of midnight is another day, and a retry is no second message.
  const capped = [cap(50_000, 1, 1, DAY), cap(90_000, 1, 1, NEXT_DAY)];
  expect(findings(...sent('a'), ...sent('b', 70_000), ...capped)).toEqual([]);
  expect(findings(...sent('a', 40_000), ...later('a', 500), ...capped)).toEqual([]);
});

test('a tier that is held has its cap, whatever the API says', () => {
  const from = { from: HELD };
  const of = (count: number) =>
    Array.from({ length: count }, (_, n) => [ask(1_000, `r${n}`), transact(1_100, `r${n}`, from)]).flat();
  const caps = (...parts: Part[]) => findings(...parts).filter(({ rule }) => rule === 'cap');
  expect(caps(...of(50), cap(50_000, 50, 50, DAY, HELD))).toEqual([]);
  expect(caps(...of(51))).toMatchObject([{ what: expect.stringContaining('1 over its cap of 50') }]);
  expect(caps(cap(50_000, 100, 0, DAY, HELD))).toMatchObject([{ what: expect.stringContaining('held') }]);
});

test('a day on which receivers got mail has a reading of its cap', () => {
  const jump = at(100_003, { kind: 'calendar', storeMs: Date.parse('2026-03-13'), since: 100_002 });
  const unread = [...sent('a', 70_000), jump];
  expect(rulesOf(...unread)).toEqual(['cap']);
  expect(findings(...unread, cap(90_000, 5, 1, NEXT_DAY))).toEqual([]);
  expect(findings(...unread, fault(62_000, 62_000, 'api'))).toEqual([]);
  expect(rulesOf(...unread, fault(62_000, 62_000, 'nats'))).toEqual(['cap']);
});

test('without a driven calendar the days are those of the machine', () => {
  const [run] = head();
  const all = [run!, READ, END, ...sent('a'), ...sent('b'), cap(50_000, 1, 1, DAY)];
  expect(audit(inOrder(all)).map(({ rule }) => rule)).toContain('cap');
});

test('a message that was tried on two days counts on both', () => {
  const late = [...later('a', 60_900), ...sent('a', 95_000), ...sent('b', 70_000)];
  expect(rulesOf(...late, cap(98_000, 1, 1, NEXT_DAY))).toEqual(['cap']);
});

test('a day on which mail waited uses all of its cap', () => {
  const evening = at(90_000, {
    kind: 'calendar',
    storeMs: Date.parse('2026-03-11T23:59:30Z'),
    since: 90_000,
  });
  const jump = at(100_003, { kind: 'calendar', storeMs: Date.parse('2026-03-13'), since: 100_002 });
  const waits = { status: 'deferred', reason: 'warmup_cap', deferredUntil: '2026-03-13T00:00:00.000Z' };
  const waiting = [
    ask(1_000, 'w', { answer: { taken: [{ id: 'msg_w', recipient: 'w', ...waits }] } }),
    listed(100_004, 'w', { ...waits, deferReason: 'warmup_cap' }),
    ...[evening, jump],
  ];
  expect(findings(...waiting, cap(99_000, 5, 5, NEXT_DAY))).toEqual([]);
  expect(rulesOf(...waiting, cap(99_000, 5, 4, NEXT_DAY))).toEqual(['cap']);
  expect(findings(...waiting, cap(80_000, 5, 4, NEXT_DAY))).toEqual([]); // most of the day was still to come
  for (const target of ['redis', 'postgres', 'sender-1', 'scheduler'])
    expect(findings(...waiting, cap(99_000, 5, 4, NEXT_DAY), fault(50_000, 60_000, target))).toEqual([]);
  for (const target of ['api-1', 'inbound', 'nats'])
    expect(rulesOf(...waiting, cap(99_000, 5, 4, NEXT_DAY), fault(50_000, 60_000, target))).toEqual(['cap']);
  const held = waiting.map((one) =>
    (Array.isArray(one) ? one : [one]).map((e) => ('domain' in e ? { ...e, domain: HELD } : e)),
  );
  expect(rulesOf(...held, cap(99_000, 50, 49, NEXT_DAY, HELD))).toEqual(['cap']);
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

test('a sender that hangs up before the verdict needs a fault; a receiver that does explains the repeat', () => {
  const again = transact(30_000, 'a', { sender: 'sender-2' });
  const first = (by: 'sink' | 'peer') => [
    ask(1_000, 'a'),
    ...transact(1_100, 'a').slice(0, 5),
    closed(1_108, by),
    event(31_000, 'a', 'delivered'),
    listed(100_002, 'a'),
  ];
  expect(findings(...first('sink'), again)).toEqual([]);
  expect(rulesOf(...first('peer'), again)).toEqual(['repeats']);
  expect(findings(...first('peer'), again, fault(1_106, 1_107, 'sender-1'))).toEqual([]);
});

test('a sender that thaws and brings a message which another one has delivered meanwhile is found, unless it was writing', () => {
  const stale = transact(1_100, 'a').map((one) =>
    one.kind === 'dot' || one.kind === 'verdict' ? { ...one, t: one.t + 40_000 } : one,
  );
  const [asked, , delivered, inList] = sent('a', 29_900) as [Entry[], Entry[], Entry[], Entry];
  const other = transact(30_000, 'a', { sender: 'sender-2' });
  const all = [asked.map((one) => ({ ...one, t: one.t - 29_000 })), stale, other, delivered, inList];
  expect(rulesOf(...all, fault(1_099, 41_000, 'sender-1'))).toEqual(['repeats']);
  expect(findings(...all, fault(1_101, 41_000, 'sender-1'))).toEqual([]); // it may have been writing already
});

test('every attempt has the same Message-ID', () => {
  expect(rulesOf(...sent('a', 40_000), ...later('a', 500, { messageId: 'another' }))).toEqual(['repeats']);
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
  const late = [...sent('a', 5_000), suppression(1_000)];
  expect(rulesOf(...late)).toEqual(['suppression']);
  // Only a sender that stood still from before the suppression until right before RCPT could not know.
  expect(findings(...late, fault(900, 5_000, 'sender-1'))).toEqual([]);
  expect(rulesOf(...late, fault(900, 2_000, 'sender-1'))).toEqual(['suppression']);
  expect(rulesOf(...late, fault(3_000, 5_000, 'sender-1'))).toEqual(['suppression']);
  expect(rulesOf(...late, fault(900, 5_000, 'sender-1', 'kill'))).toEqual(['suppression']);
});

test('what a receiver got is what was asked for to exactly that recipient, and signed', () => {
  const got = (more: { content?: string; dkim?: string }) => [
    ask(1_000, 'a'),
    transact(1_100, 'a', more),
    event(1_200, 'a', 'delivered'),
    listed(100_002, 'a'),
  ];
  expect(findings(...got({}))).toEqual([]);
  expect(findings(...got({ content: 'words for b' }), ...sent('b'))).toMatchObject([
    { rule: 'content', about: 'a', what: expect.stringContaining('no request to it had that content') },
  ]);
  expect(findings(...got({ dkim: 'fail (body hash)' }))).toMatchObject([
    { rule: 'content', about: 'a', what: expect.stringContaining('fail (body hash)') },
  ]);
});

test('a message that was refused for now is tried again after its gap, unless the refusal may not have been recorded', () => {
  const again = (t: number) => [...sent('a', t), ...later('a', 1_000)];
  expect(findings(...again(31_000))).toEqual([]); // 45 s less a third
  expect(findings(...again(29_000))).toMatchObject([
    { rule: 'early', about: 'a', what: expect.stringContaining('28.1 s after "451", and 30 s is the least') },
  ]);
  expect(findings(...again(29_000), fault(1_005, 1_006, 'sender-1'))).toEqual([]);
  const third = [...sent('a', 80_000), ...later('a', 35_000), ...later('a', 1_000)];
  const early = findings(...third, cap(90_000, 50, 1, NEXT_DAY)).filter(({ rule }) => rule === 'early');
  expect(early).toMatchObject([{ what: expect.stringContaining('and 200 s is the least') }]);
});
