import { expect, test } from 'vitest';

import { FAULT_KINDS } from '../../../prove/faults/fault-kinds.ts';
import { areIndependent, planFaults } from '../../../prove/faults/plan-faults.ts';

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

test('a plan follows from its seed', () => {
  expect(planFaults(7, 20)).toEqual(planFaults(7, 20));
  expect(planFaults(7, 20)).not.toEqual(planFaults(8, 20));
});

test('twenty minutes meet every kind of fault, and each within what may be planned of it', () => {
  for (const seed of SEEDS) {
    const plan = planFaults(seed, 20);
    expect(new Set(plan.map((fault) => fault.kind)), `seed ${seed}`).toEqual(
      new Set(Object.keys(FAULT_KINDS)),
    );
    expect(new Set(plan.map((fault) => fault.id)).size).toBe(plan.length);
    for (const { kind, target } of plan) expect(FAULT_KINDS[kind].targets).toContain(target);
  }
});

test('faults that overlap are of one round, two at most, and meet different roles or one store', () => {
  for (const seed of SEEDS) {
    const plan = planFaults(seed, 20);
    for (const one of plan) {
      const others = plan.filter((other) => other !== one && other.round === one.round);
      const later = plan.filter((other) => other.round > one.round);
      const fits = others.length <= 1 && others.every((other) => areIndependent(one, other));
      const waits = later.every((other) => other.at >= one.at + one.lasts + 3_000);
      expect(fits && waits, `seed ${seed}, ${one.id}`).toBe(true);
    }
  }
});

test('the load goes on for some time after the last fault, however short the run', () => {
  for (const seed of SEEDS) {
    for (const minutes of [1, 2, 20]) {
      const plan = planFaults(seed, minutes);
      expect(plan.length).toBeGreaterThan(minutes * 2 - 1);
      for (const { at, lasts } of plan) expect(at + lasts).toBeLessThanOrEqual(minutes * 60_000 - 12_000);
    }
  }
});

test('twenty minutes kill and freeze every process, and have two whiles that hold a day without faults', () => {
  for (const seed of SEEDS) {
    const plan = planFaults(seed, 20);
    for (const kind of ['kill', 'freeze', 'freeze-role'] as const) {
      const met = new Set(plan.filter((fault) => fault.kind === kind).map(({ target }) => target));
      expect(met, `seed ${seed}, ${kind}`).toEqual(new Set(FAULT_KINDS[kind].targets));
    }
    const calms = plan.filter(({ at, round }) => {
      const before = plan.filter((fault) => fault.round < round).map((fault) => fault.at + fault.lasts);
      return before.length > 0 && at - Math.max(...before) >= 110_000;
    });
    expect(new Set(calms.map(({ round }) => round)).size, `seed ${seed}`).toBe(2);
  }
});
