// The cap is exact, whatever happens and in whatever order: random histories of sends, crashes, lost and wrong Redis
// data, senders that stand still, midnights, tier changes and suspensions, against the real Lua and the real SQL.
//
// After every step, for every (domain, day): admissions used = messages that hold one, no step has admitted one beyond the
// cap, and a receiver has seen no more messages on that day than its cap. At the end, with demand: used = cap, so no admission was lost either.
//
// The first history that fails is printed at once with its reason, then the shortest that is found in time, with its seed
// and path; TEST_SEED replays it.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemReserve } from '../../core/warmup/tiers.ts';
import { longForm, testSeed } from '../harness/form.ts';
import {
  closeEnvironment,
  openEnvironment,
  World,
  type DayState,
  type Death,
  type Environment,
} from '../harness/gate-model.ts';

const HISTORIES = longForm(200, 10_000);
const SEED = testSeed();
const LIMIT_MS = HISTORIES * 1_000;
const ENVIRONMENTS = 4; // histories at a time, each on a database of its own

const DEATHS: Death[] = [
  'accept.before-gate',
  'accept.after-gate',
  'accept.before-commit',
  'accept.after-commit',
];

type Command =
  | { do: 'admit'; count: number; bulk: number; resets: number }
  | { do: 'crash'; count: number; step: Death }
  | { do: 'setTier'; tier: number }
  | { do: 'midnight'; release: boolean }
  | { do: 'pause' | 'resend' | 'refund' | 'rollBack' | 'inflate' | 'claim' | 'deliver'; count: number }
  | { do: 'resume' | 'flush' | 'reseed' | 'release' | 'suspend' | 'reactivate' };

const count = fc.integer({ min: 1, max: 45 });
const one = <T extends string>(...names: T[]) => fc.constantFrom(...names);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ do: one('admit'), count, bulk: fc.integer({ min: 0, max: 45 }) },
      resets: fc.constantFrom(0, 0, 5, 45),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: one('crash'), count, step: fc.constantFrom(...DEATHS) }) },
  { weight: 1, arbitrary: fc.record({ do: one('setTier'), tier: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: one('midnight'), release: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: one('claim', 'deliver'), count }) },
  { weight: 6, arbitrary: fc.record({ do: one('pause', 'resend', 'refund', 'rollBack', 'inflate'), count }) },
  { weight: 5, arbitrary: fc.record({ do: one('resume', 'flush', 'reseed', 'release') }) },
  { weight: 2, arbitrary: fc.record({ do: one('suspend', 'reactivate') }) },
);
const history = fc.record({
  tier: fc.integer({ min: 0, max: 1 }),
  reserve: fc.constantFrom(0, 0, 40, 90),
  isSystem: fc.boolean(), // the domain is that of SYSTEM_MAIL_FROM
  commands: fc.array(command, { minLength: 2, maxLength: 14 }),
});

let environments: Environment[] = [];
beforeAll(async () => {
  environments = await Promise.all(Array.from({ length: ENVIRONMENTS }, openEnvironment));
});
afterAll(() => Promise.all(environments.map(closeEnvironment)));

test.concurrent.each(Array.from({ length: ENVIRONMENTS }, (_, index) => [index]))(
  `the cap is exact, environment %i (${HISTORIES} histories, seed ${SEED})`,
  { timeout: LIMIT_MS },
  async (index) => {
    const print = printOnce(`environment ${index}, seed ${SEED + index}`);
    const property = fc.asyncProperty(history, (given) =>
      live(environments[index]!, given).catch((error: unknown) => {
        print(`${JSON.stringify(given)}\n${String(error)}`);
        throw error;
      }),
    );
    await fc.assert(property, {
      numRuns: Math.ceil(HISTORIES / ENVIRONMENTS),
      seed: SEED + index,
      interruptAfterTimeLimit: LIMIT_MS * 0.8, // or the time for a shorter history ends the test without a word
      markInterruptAsFailure: true,
    });
  },
);

function printOnce(where: string): (what: string) => void {
  let printed = false;
  return (what) => {
    if (!printed) process.stderr.write(`${where}: this history fails: ${what}\n`);
    printed = true;
  };
}

async function live(
  environment: Environment,
  given: { tier: number; reserve: number; isSystem: boolean; commands: Command[] },
): Promise<void> {
  const world = await World.open(environment, given);
  try {
    let before = new Map<string, DayState>();
    for (const step of given.commands) {
      await run(world, step);
      before = check(before, await world.days(), await world.day(), JSON.stringify(step));
      if (given.isSystem) checkReserve(before, JSON.stringify(step));
      checkWire(world, before, JSON.stringify(step));
    }
    await fillUp(world, given.isSystem);
  } finally {
    await world.close();
  }
}

function run(world: World, step: Command): Promise<unknown> {
  switch (step.do) {
    case 'admit':
      return world.admit(step.count, step.bulk, Math.min(step.resets, step.count));
    case 'crash':
      return world.crash(step.count, step.step);
    case 'setTier':
      return world.setTier(step.tier);
    case 'midnight':
      return world.midnight(step.release);
    case 'pause':
      return world.pause(step.count);
    case 'resend':
      return world.resend(step.count);
    case 'refund':
      return world.refund(step.count);
    case 'rollBack':
      return world.rollBack(step.count);
    case 'claim':
      return world.claim(step.count);
    case 'deliver':
      return world.deliver(step.count);
    case 'inflate':
      return world.inflate(step.count);
    case 'resume':
      return world.resume();
    case 'flush':
      return world.flush();
    case 'reseed':
      return world.reseed();
    case 'release':
      return world.release();
    case 'suspend':
      return world.suspend();
    case 'reactivate':
      return world.reactivate();
    default:
      return step satisfies never;
  }
}

// A demotion may leave a day with more used than its new cap; it must not take one more.
function check(
  before: Map<string, DayState>,
  after: DayState[],
  today: string,
  step: string,
): Map<string, DayState> {
  for (const day of after) {
    const was = before.get(day.day);
    if (day.day === today)
      expect(day.used, `${step}: admissions of today never go back`).toBeGreaterThanOrEqual(was?.used ?? 0);
    expect(day.used, `${step}: admissions of ${day.day} against the messages that hold one`).toBe(day.held);
    expect(day.bulkUsed, `${step}: campaign admissions of ${day.day}`).toBe(day.bulkHeld);
    expect(day.used, `${step}: admissions of ${day.day} against the cap`).toBeLessThanOrEqual(
      Math.max(day.cap, was?.used ?? 0),
    );
  }
  return new Map(
    after.map((day) => [day.day, { ...day, cap: Math.max(day.cap, before.get(day.day)?.cap ?? 0) }]),
  );
}

// On the domain of SYSTEM_MAIL_FROM, other mail than resets never uses what is reserved for them.
function checkReserve(days: Map<string, DayState>, step: string): void {
  for (const { day, cap, held, resetsHeld } of days.values()) {
    expect(held - resetsHeld, `${step}: admissions of ${day} that are not resets`).toBeLessThanOrEqual(
      Math.max(cap - systemReserve(cap), 0),
    );
  }
}

// What a receiver saw of a day is never more than the highest cap that the day had.
function checkWire(world: World, days: Map<string, DayState>, step: string): void {
  for (const [day, seen] of world.wire) {
    expect(seen.size, `${step}: on the wire on ${day}`).toBeLessThanOrEqual(days.get(day)?.cap ?? 0);
  }
}

// With demand, the day ends full: nothing that happened has cost an admission. What stood still goes on first; those kept
// for deferred mail are taken by the release.
async function fillUp(world: World, isSystem: boolean): Promise<void> {
  await world.reactivate();
  for (let i = 0; i < 14; i++) await world.resume();
  await world.deliver(Infinity);
  await world.release();
  await world.admit(1, 0);
  const today = await world.day();
  const row = (await world.days()).find((one) => one.day === today)!;
  const capacity = row.cap - row.used;
  if (capacity <= 0) return;
  await world.admit(capacity, 0, isSystem ? capacity : 0);
  const full = (await world.days()).find((one) => one.day === today)!;
  expect(full, 'with demand the day ends full').toMatchObject({ used: row.cap });
}
