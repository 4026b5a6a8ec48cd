import { expect, test } from 'vitest';

import { createEndpointRooms } from '../../../inbound/webhook/endpoint-room.ts';

test('an endpoint that answers gets more places, up to the most', () => {
  const rooms = createEndpointRooms(20);
  expect(rooms.initial).toBe(5);
  for (let i = 0; i < 5; i++) rooms.enter('a');
  expect(rooms.free().get('a')).toBe(0);
  for (let i = 0; i < 4; i++) rooms.leave('a', true);
  expect(rooms.free().get('a')).toBe(8);
  for (let i = 0; i < 50; i++) {
    rooms.enter('a');
    rooms.leave('a', true);
  }
  expect(rooms.free().get('a')).toBe(19);
});

test('one that fails gets fewer, down to one, and then rests; one good answer ends the rest', () => {
  const rooms = createEndpointRooms(20);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) {
      rooms.enter('a');
      rooms.leave('a', false);
    }
  };
  fail(3);
  expect(rooms.free().get('a')).toBe(1);
  fail(7);
  expect(rooms.free().get('a')).toBe(0);
  rooms.enter('a');
  rooms.leave('a', true);
  expect(rooms.free().get('a')).toBe(2);
});

test('what is well and idle is forgotten', () => {
  const rooms = createEndpointRooms(20);
  rooms.enter('a');
  rooms.leave('a', true);
  expect(rooms.free().size).toBe(0);
});
