// Whom a call goes to: one sender for a domain, as long as it is well and has not much more to do than the others.

import { expect, test } from 'vitest';

import { hashOf, ownersOf } from '../../../core/base/rendezvous.ts';
import { affinityOf, chooseSender } from '../../../core/clients/choose-sender.ts';

const senders = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ seed: hashOf(`10.0.0.${n}:50051`), calls: { size: 0 }, n }));
const affinities = Array.from({ length: 3_000 }, (_, n) => ({
  affinity: affinityOf('tnt_1', `a@d${n}.test`),
}));

test('domains are spread evenly, and a sender more takes only what becomes its own', () => {
  const [three, four] = [senders(3), senders(4)];
  const before = affinities.map((one) => chooseSender(three, one)!.n);
  const after = affinities.map((one) => chooseSender(four, one)!.n);
  for (let n = 0; n < 3; n++) {
    const share = before.filter((one) => one === n).length / before.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.37);
  }
  const moved = after.filter((one, i) => one !== before[i]);
  expect(new Set(moved)).toEqual(new Set([3]));
  expect(moved.length / after.length).toBeLessThan(0.29);
});

test('an address has the affinity of its domain, however it is written; of another tenant it has another', () => {
  const one = affinityOf('tnt_1', 'a@Shop.Example');
  expect(affinityOf('tnt_1', 'The "@" shop <b@shop.example>')).toBe(one);
  expect(affinityOf('tnt_2', 'a@shop.example')).not.toBe(one);
});

test('a busy domain has all senders, none far over the mean; the others keep theirs', () => {
  const all = senders(3);
  for (let i = 0; i < 6_000; i++) chooseSender(all, affinities[0])!.calls.size++;
  const sizes = all.map(({ calls }) => calls.size).toSorted((a, b) => a - b);
  expect(sizes.at(-1)).toBeLessThanOrEqual((6_001 * 1.25) / 3);
  expect(sizes[0]).toBeGreaterThan(900);
});

test('few calls in flight stay together, however idle the others are', () => {
  const all = senders(3);
  for (let i = 0; i < 60; i++) chooseSender(all, affinities[0])!.calls.size++;
  expect(all.map(({ calls }) => calls.size).toSorted((a, b) => a - b)).toEqual([0, 0, 60]);
});

test('without an affinity the least busy one, of equal ones the first', () => {
  const all = senders(3);
  expect(chooseSender(all)).toBe(all[0]);
  all[0]!.calls.size = 1;
  expect(chooseSender(all)).toBe(all[1]);
  expect(chooseSender([], affinities[0])).toBeUndefined();
});

test('calls about a bucket go to the two with the highest scores for it, those of a domain to one of them', () => {
  const all = senders(10);
  for (let n = 0; n < 20; n++) {
    const bucket = hashOf(`b${n}`);
    const chosen = affinities.map(({ affinity }) => chooseSender(all, { affinity, bucket })!);
    expect(new Set(chosen)).toEqual(new Set(ownersOf(bucket, all)));
    const share = chosen.filter((one) => one === chosen[0]).length / chosen.length;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.55);
    expect(affinities.map(({ affinity }) => chooseSender(all, { affinity, bucket }))).toEqual(chosen);
  }
});

test('a busy bucket has a third sender only when both of its own are busy, and the same third for all domains', () => {
  const all = senders(10);
  const bucket = hashOf('b1');
  const [first, second] = ownersOf(bucket, all);
  first!.calls.size = 64;
  for (const { affinity } of affinities) expect(chooseSender(all, { affinity, bucket })).toBe(second);
  second!.calls.size = 64;
  const rest = all.filter((one) => one !== first && one !== second);
  const [third] = ownersOf(bucket, rest);
  for (const { affinity } of affinities) expect(chooseSender(all, { affinity, bucket })).toBe(third);
});

test('without a domain the less busy of the two of a bucket', () => {
  const all = senders(10);
  const bucket = hashOf('b1');
  const [first, second] = ownersOf(bucket, all);
  first!.calls.size = 1;
  expect(chooseSender(all, { bucket })).toBe(second);
  second!.calls.size = 2;
  expect(chooseSender(all, { bucket })).toBe(first);
  expect(chooseSender(all.slice(0, 1), { bucket })).toBe(all[0]);
  expect(chooseSender([], { bucket })).toBeUndefined();
});
