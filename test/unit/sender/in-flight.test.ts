import { expect, test } from 'vitest';

import type { Claim } from '../../../core/message/claim.ts';
import { createInFlight } from '../../../sender/deliver/in-flight.ts';

const claim = (id: string, tenantId: string) => ({ id, tenantId, octets: 1 }) as Claim;

test('a tenant alone may have all, and half of it once others have messages or wait for a place', () => {
  const inFlight = createInFlight(10);
  const add = (id: string, tenantId: string) => inFlight.add({ claim: claim(id, tenantId), workerId: 'w' });
  for (const id of ['1', '2', '3', '4', '5', '6']) add(id, 'heavy');
  expect(inFlight.capacityOf('heavy', false)).toBeGreaterThan(0);
  expect(inFlight.capacityOf('heavy', true)).toBeLessThanOrEqual(0);
  expect(inFlight.capacityOf('other', false)).toBeGreaterThan(0);
  add('7', 'other');
  expect(inFlight.capacityOf('heavy', false)).toBeLessThanOrEqual(0);
  expect(inFlight.capacityOf('other', false)).toBeGreaterThan(0);
  const second = claim('8', 'other');
  inFlight.add({ claim: second, workerId: 'w' });
  inFlight.add({ claim: second, workerId: 'w' }); // it is there once
  inFlight.remove(second);
  inFlight.clear();
  expect(inFlight.capacityOf('heavy', false)).toBe(10);
});
