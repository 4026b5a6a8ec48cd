// The load of the proof asks for more than every limit allows; otherwise a limit that is not kept would not be seen.

import { expect, test } from 'vitest';

import type { Action, SendAction } from '../../../prove/load/action.ts';
import { planLoad } from '../../../prove/load/plan-load.ts';
import { SECOND_DAY, tenantSpecs } from '../../../prove/load/world.ts';

const SECONDS = 1_200;
const DAY_SECONDS = 39;
const specs = tenantSpecs(400);
const plan = planLoad(specs, { seed: 20261122, seconds: SECONDS, perSecond: 9 });
const sends = plan.filter((action): action is Action & SendAction => action.do === 'send');

test('the same seed plans the same load', () => {
  expect(planLoad(specs, { seed: 20261122, seconds: SECONDS, perSecond: 9 })).toEqual(plan);
});

test('the caps of the first tier, and one of the second, are asked for more than they have', () => {
  const perDay = (domain: string) =>
    sends.filter((one) => one.domain === domain).reduce((sum, { recipients }) => sum + recipients.length, 0) /
    (SECONDS / DAY_SECONDS);
  for (const n of [1, 2, 3, 4, 5, 6]) expect(perDay(`d1.tenant${n}.test`)).toBeGreaterThan(55);
  expect(perDay('d2.tenant2.test')).toBeGreaterThan(110);
});

test('the smallest plan is asked for four times what it has for a month', () => {
  const place = specs.findIndex(({ part }) => part === 'quota');
  const asked = sends.filter(({ tenant }) => tenant === place).flatMap(({ recipients }) => recipients);
  expect(asked.length).toBeGreaterThanOrEqual(4_400);
});

test('a domain that is raised every day is asked for more than it then has, and its mail is slow to go', () => {
  const raised = sends.filter(({ domain }) => domain === SECOND_DAY.raised).flatMap((one) => one.recipients);
  expect(raised.length / (SECONDS / DAY_SECONDS)).toBeGreaterThan(105);
  expect(raised.filter((to) => /^(late|slow)-/.test(to)).length / raised.length).toBeGreaterThan(0.25);
  const bouncing = sends
    .filter(({ domain }) => domain === SECOND_DAY.bouncing)
    .flatMap((one) => one.recipients);
  expect(bouncing.filter((to) => to.startsWith('unknown-')).length / bouncing.length).toBeGreaterThan(0.06);
});

test('fewer new passwords are asked for than one address may ask for in an hour', () => {
  const resets = plan.filter((action) => action.do === 'reset');
  expect(resets.length).toBeGreaterThan(15);
  expect(resets.length).toBeLessThan(20);
});

test('some keys are used again for other mail', () => {
  expect(sends.filter(({ clashes }) => clashes).length).toBeGreaterThan(20);
});
