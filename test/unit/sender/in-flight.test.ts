import { expect, test } from 'vitest';

import type { Claim } from '../../../core/message/claim.ts';
import { createInFlight } from '../../../sender/deliver/in-flight.ts';
import type { Claimer } from '../../../sender/smtp/destination.ts';

const claim = (id: string, tenantId: string) =>
  ({ id, tenantId, octets: 1, stream: 'transactional' }) as Claim;
const nobody = (): Claimer => ({ done: () => {} });

test('a tenant alone may have all, and half of it once others have messages or wait for a place', () => {
  const inFlight = createInFlight(10);
  const claimer = nobody();
  const add = (id: string, tenantId: string) =>
    inFlight.add({ claim: claim(id, tenantId), workerId: 'w', claimer });
  for (const id of ['1', '2', '3', '4', '5', '6']) add(id, 'heavy');
  expect(inFlight.capacityOf('heavy', false)).toBeGreaterThan(0);
  expect(inFlight.capacityOf('heavy', true)).toBeLessThanOrEqual(0);
  expect(inFlight.capacityOf('other', false)).toBeGreaterThan(0);
  add('7', 'other');
  expect(inFlight.capacityOf('heavy', false)).toBeLessThanOrEqual(0);
  expect(inFlight.capacityOf('other', false)).toBeGreaterThan(0);
  const second = claim('8', 'other');
  inFlight.add({ claim: second, workerId: 'w', claimer });
  inFlight.add({ claim: second, workerId: 'w', claimer }); // it is there once
  inFlight.remove(second);
  inFlight.clear(claimer);
  expect(inFlight.capacityOf('heavy', false)).toBe(10);
});

test('what one bucket loses leaves the others theirs, and what its claim may bring counts for theirs alone', () => {
  const inFlight = createInFlight(10);
  const [one, other] = [nobody(), nobody()];
  inFlight.add({ claim: claim('1', 'a'), workerId: 'w', claimer: one });
  inFlight.add({ claim: claim('2', 'b'), workerId: 'v', claimer: other });
  inFlight.clear(one);
  expect([...inFlight.ids()]).toEqual(['2']);
  const [accepted, claimed] = [inFlight.capacity('bulk'), inFlight.capacityToClaim('bulk')];
  const release = inFlight.reserve({ messages: 4, octets: 100 });
  expect([inFlight.capacity('bulk'), inFlight.capacityToClaim('bulk')]).toEqual([accepted, claimed - 4]);
  release();
  release(); // a second time gives nothing back
  expect(inFlight.capacityToClaim('bulk')).toBe(claimed);
});
