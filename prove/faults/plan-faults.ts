// Which faults a run makes, and when. The same seed gives the same plan.
//
// Faults come in rounds of one or two. Two of a round meet different things: never two processes of one role, never two
// stores. After a round the service has some seconds for itself, and each eight minutes a while that holds a whole day of
// the calendar and the minute before its end: on that day all of each cap must be used.

import { seeded } from '../../local/simulate/behaviour.ts';
import { FAULT_KINDS, type FaultKind, type KindOfFault, type PlannedFault } from './fault-kinds.ts';

const FIRST_AT_MS = 8_000; // the load is under way
const LAST_END_MS = [12_000, 22_000] as const; // before the end of the load: of one minute, and of two or more
const PAIRED = 0.5; // of the rounds have two faults
const RECOVERY_MS = [3_000, 7_000] as const;
const CALM_FIRST_MS = 4 * 60_000;
const CALM_EVERY_MS = 8 * 60_000;
const CALM_MS = 110_000; // 60 s, and a day of 39 s somewhere behind them
const LONG_FREEZE = 0.25; // of the freezes of a process
const LONG_FREEZE_MS = [22_000, 27_000] as const; // the lease of a sender is 20 s (WORKER_LEASE_MS)

type Choice = Pick<PlannedFault, 'kind' | 'target'>;

/** The faults of a run in the order of their times. */
export function planFaults(seed: number, minutes: number): PlannedFault[] {
  const random = seeded(seed);
  const supply = createSupply(random);
  const endMs = minutes * 60_000 - LAST_END_MS[minutes < 2 ? 0 : 1];
  const plan: PlannedFault[] = [];
  let at = FIRST_AT_MS;
  let calmAt = CALM_FIRST_MS;
  for (let round = 1; ; round++) {
    const choices = chooseRound(supply, random);
    const first = lengthOf(choices[0]!, random);
    const faults = choices.map((choice, i): PlannedFault => {
      const begins = i === 0 ? at : at + Math.round(random() * Math.max(first, 1_000));
      const lasts = i === 0 ? first : lengthOf(choice, random);
      return { id: `f${plan.length + i + 1}`, ...choice, at: begins, lasts, round };
    });
    const end = Math.max(...faults.map((fault) => fault.at + fault.lasts));
    if (end > endMs) return plan;
    plan.push(...faults);
    at = end + between(RECOVERY_MS, random);
    if (at < calmAt) continue;
    at += CALM_MS;
    calmAt += CALM_EVERY_MS;
  }
}

interface Supply {
  next(): Choice;
  /** The next one that fits, which may be far down. */
  nextWhich(fits: (choice: Choice) => boolean): Choice | undefined;
}

function chooseRound(supply: Supply, random: () => number): Choice[] {
  const first = supply.next();
  if (random() >= PAIRED) return [first];
  const second = supply.nextWhich((choice) => areIndependent(first, choice));
  return second ? [first, second] : [first];
}

/** Whether two faults may be there at a time: different roles, and one store at most. */
export function areIndependent(one: Choice, other: Choice): boolean {
  const [a, b] = [partOf(one), partOf(other)];
  return a !== b;
}

function partOf({ kind, target }: Choice): string {
  const process = kind === 'kill' || kind === 'freeze' || kind === 'freeze-role' || kind === 'clock-off';
  return process ? target.replace(/-\d+$/, '') : 'store';
}

// First each kind once, so that a short run meets as many as it can; then every process is killed and frozen; then every
// kind meets every target, again and again.
function createSupply(random: () => number): Supply {
  const stops: FaultKind[] = ['kill', 'freeze', 'freeze-role'];
  const all = () => kinds().flatMap(([kind, { targets }]) => targets.map((target) => ({ kind, target })));
  let choices: Choice[] = [
    ...shuffled(
      kinds().map(([kind, { targets }]) => ({
        kind,
        target: targets[Math.floor(random() * targets.length)]!,
      })),
      random,
    ),
    ...shuffled(
      all().filter(({ kind }) => stops.includes(kind)),
      random,
    ),
  ];
  const refill = () => {
    if (choices.length === 0) choices = shuffled(all(), random);
  };
  return {
    next: () => {
      refill();
      return choices.shift()!;
    },
    nextWhich: (fits) => {
      refill();
      const at = choices.findIndex(fits);
      return at < 0 ? undefined : choices.splice(at, 1)[0];
    },
  };
}

function kinds(): [FaultKind, KindOfFault][] {
  return Object.entries(FAULT_KINDS) as [FaultKind, KindOfFault][];
}

function lengthOf({ kind }: Choice, random: () => number): number {
  if (kind === 'freeze' && random() < LONG_FREEZE) return between(LONG_FREEZE_MS, random);
  const [shortest, longest] = FAULT_KINDS[kind].seconds;
  return between([shortest * 1_000, longest * 1_000], random);
}

function between([low, high]: readonly [number, number], random: () => number): number {
  return Math.round(low + random() * (high - low));
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
