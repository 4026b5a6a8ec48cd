// Who has what, without asking: evenly shared, and moved only when an owner comes or goes.

import { expect, test } from 'vitest';

import { hashOf, ownersOf } from '../../../core/base/rendezvous.ts';
import { newUuid } from '../../../core/base/ids.ts';

const processes = (count: number) =>
  Array.from({ length: count }, newUuid).map((id) => ({ id, seed: hashOf(id) }));
const things = Array.from({ length: 3_000 }, (_, n) => hashOf(`thing${n}`));

test('each has two owners, and each process an even share', () => {
  const ten = processes(10);
  const owners = things.flatMap((thing) => ownersOf(thing, ten));
  expect(owners).toHaveLength(2 * things.length);
  for (const one of ten) {
    const share = owners.filter((owner) => owner === one).length / things.length;
    expect(share).toBeGreaterThan(0.15); // 0.2 is the mean; 500 tries had 0.175 to 0.225
    expect(share).toBeLessThan(0.25);
  }
});

test('with fewer than two there are fewer owners, never the same one twice', () => {
  const three = processes(3);
  expect(ownersOf(things[0]!, [])).toEqual([]);
  expect(ownersOf(things[0]!, three.slice(0, 1))).toEqual(three.slice(0, 1));
  for (const thing of things) expect(new Set(ownersOf(thing, three)).size).toBe(2);
});

test('one that leaves is followed by one other; whoever stays keeps what it has', () => {
  const ten = processes(10);
  const [gone, ...nine] = ten;
  for (const thing of things) {
    const before = ownersOf(thing, ten);
    const after = ownersOf(thing, nine);
    if (before.includes(gone!)) expect(after).toContain(before.find((one) => one !== gone));
    else expect(after).toEqual(before);
  }
});

test('the order in which processes are known does not matter', () => {
  const ten = processes(10);
  for (const thing of things) expect(ownersOf(thing, ten.toReversed())).toEqual(ownersOf(thing, ten));
});
