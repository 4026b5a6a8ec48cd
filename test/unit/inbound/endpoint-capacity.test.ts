import { expect, test } from 'vitest';

import { createEndpointCapacity } from '../../../inbound/webhook/endpoint-capacity.ts';

test('an endpoint that answers gets more places, up to the most', () => {
  const capacity = createEndpointCapacity(20);
  expect(capacity.initial).toBe(5);
  for (let i = 0; i < 5; i++) capacity.start('a');
  expect(capacity.free().get('a')).toBe(0);
  for (let i = 0; i < 4; i++) capacity.end('a', true);
  expect(capacity.free().get('a')).toBe(8);
  for (let i = 0; i < 50; i++) {
    capacity.start('a');
    capacity.end('a', true);
  }
  expect(capacity.free().get('a')).toBe(19);
});

test('one that fails gets fewer, down to one, and then rests; one good answer ends the rest', () => {
  const capacity = createEndpointCapacity(20);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) {
      capacity.start('a');
      capacity.end('a', false);
    }
  };
  fail(3);
  expect(capacity.free().get('a')).toBe(1);
  fail(7);
  expect(capacity.free().get('a')).toBe(0);
  capacity.start('a');
  capacity.end('a', true);
  expect(capacity.free().get('a')).toBe(2);
});

test('what is well keeps its places over a pause between two bursts, and is forgotten when idle for long', () => {
  let now = 0;
  const capacity = createEndpointCapacity(20, () => now);
  for (let i = 0; i < 15; i++) {
    capacity.start('a');
    capacity.end('a', true);
  }
  now += 10_000;
  expect(capacity.free().get('a')).toBe(20);
  now += 1;
  expect(capacity.free().size).toBe(0);
});
