// Which faults a run makes, and when. The same seed gives the same plan.
//
// Faults come in rounds of one or two. Two of a round meet different things: never two processes of one role, never two
// stores. After a round the service has some seconds for itself, and now and then a longer while, in which it must be back
// at its full rate.

import { seeded } from '../../local/simulate/behaviour.ts';
import { FAULT_KINDS, type FaultKind, type KindOfFault, type PlannedFault } from './fault-kinds.ts';

const FIRST_AT_MS = 8_000; // the load is under way
const LAST_END_MS = 12_000; // before the end of the load
const PAIRED = 0.35; // of the rounds have two faults
const RECOVERY_MS = [3_000, 7_000] as const;
const CALM_EVERY = 6; // rounds
const CALM_MS = 12_000;
const LONG_FREEZE = 0.25; // of the freezes of a process
const LONG_FREEZE_MS = [22_000, 27_000] as const; // the lease of a sender is 20 s (WORKER_LEASE_MS)

interface Card {
  kind: FaultKind;
  target: string;
}

/** The faults of a run in the order of their times. Every kind is met before any target is met for a second time. */
export function planFaults(seed: number, minutes: number): PlannedFault[] {
  const random = seeded(seed);
  const deck = dealer(random);
  const endMs = minutes * 60_000 - LAST_END_MS;
  const plan: PlannedFault[] = [];
  let at = FIRST_AT_MS;
  for (let round = 1; ; round++) {
    const cards = drawRound(deck, random);
    const first = lengthOf(cards[0]!, random);
    const faults = cards.map((card, i): PlannedFault => {
      const begins = i === 0 ? at : at + Math.round(random() * Math.max(first, 1_000));
      const lasts = i === 0 ? first : lengthOf(card, random);
      return { id: `f${plan.length + i + 1}`, ...card, at: begins, lasts, round };
    });
    const end = Math.max(...faults.map((fault) => fault.at + fault.lasts));
    if (end > endMs) return plan;
    plan.push(...faults);
    at = end + between(RECOVERY_MS, random) + (round % CALM_EVERY === 0 ? CALM_MS : 0);
  }
}

interface Deck {
  next(): Card;
  /** The next one that fits, which may be far down. */
  nextWhich(fits: (card: Card) => boolean): Card | undefined;
}

function drawRound(deck: Deck, random: () => number): Card[] {
  const first = deck.next();
  if (random() >= PAIRED) return [first];
  const second = deck.nextWhich((card) => areIndependent(first, card));
  return second ? [first, second] : [first];
}

/** Whether two faults may be there at a time: different roles, and one store at most. */
export function areIndependent(one: Card, other: Card): boolean {
  const [a, b] = [partOf(one), partOf(other)];
  return a !== b;
}

function partOf({ kind, target }: Card): string {
  const process = kind === 'kill' || kind === 'freeze' || kind === 'freeze-role' || kind === 'clock-off';
  return process ? target.replace(/-\d+$/, '') : 'store';
}

// The first deck has each kind once, so that a short run meets as many as it can; the next ones have every target.
function dealer(random: () => number): Deck {
  let cards = shuffled(
    kinds().map(([kind, { targets }]) => ({ kind, target: targets[Math.floor(random() * targets.length)]! })),
    random,
  );
  const refill = () => {
    if (cards.length > 0) return;
    cards = shuffled(
      kinds().flatMap(([kind, { targets }]) => targets.map((target) => ({ kind, target }))),
      random,
    );
  };
  return {
    next: () => {
      refill();
      return cards.shift()!;
    },
    nextWhich: (fits) => {
      refill();
      const at = cards.findIndex(fits);
      return at < 0 ? undefined : cards.splice(at, 1)[0];
    },
  };
}

function kinds(): [FaultKind, KindOfFault][] {
  return Object.entries(FAULT_KINDS) as [FaultKind, KindOfFault][];
}

function lengthOf({ kind }: Card, random: () => number): number {
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
