// How far a run is: a line every five seconds. It looks at facts on their way into the journal, so that nothing is told
// twice.

import { nowMs, utcDay } from '../core/base/clock.ts';
import { journalMs, type Fact, type Journal } from './journal.ts';
import type { Action } from './load/action.ts';
import type { Answer } from './load/work.ts';
import type { Outside } from './outside.ts';

/** What is known on the way. */
export interface Progress {
  /** Writes to the journal, and looks at what it writes. */
  journal: Journal;
  /** Milliseconds since the epoch by the store's calendar. */
  storeMs(): number;
  onAnswer(action: Action, answer: Answer): void;
  /** Recipients of inbound mail that was answered with 250. */
  inbound: Set<string>;
  /** Time (`journalMs`) of the last event that was followed. */
  lastEventAt(): number;
  /** Tells the lines, and the sink its day. */
  start(outside: Outside): void;
  stop(): void;
}

const LINE_EVERY_MS = 5_000;
const DAY_EVERY_MS = 200;

/** Nothing happened yet. */
export function createProgress(inner: Journal, log: (line: string) => void): Progress {
  const begunAt = journalMs();
  const accepted = new Set<string>();
  const inbound = new Set<string>();
  const faults = new Map<string, string>();
  const requests = { taken: 0, refused: 0, unknown: 0 };
  const timers: NodeJS.Timeout[] = [];
  let ahead = nowMs() - begunAt;
  let events = 0;
  let lastEventAt = 0;

  function look(fact: Fact, t: number): void {
    if (fact.kind === 'calendar') ahead = fact.storeMs - t;
    if (fact.kind === 'phase')
      log(`${clockOf(t - begunAt)} ${fact.phase}${fact.settled === false ? ' (not settled)' : ''}`);
    if (fact.kind === 'trouble') log(`TROUBLE ${fact.what}`);
    if (fact.kind === 'event' && fact.how === 'followed') {
      events += 1;
      lastEventAt = t;
    }
    if (fact.kind !== 'fault') return;
    if (fact.phase === 'begun') faults.set(fact.fault, `${fact.name} ${fact.target}`);
    else faults.delete(fact.fault);
  }

  const storeMs = () => journalMs() + ahead;

  function line(outside: Outside): string {
    const delivered = outside.taken();
    const waiting = Math.max(0, accepted.size - delivered);
    const { taken, refused, unknown } = requests;
    return [
      `${clockOf(journalMs() - begunAt)} ${utcDay(new Date(storeMs()))}`,
      `${taken + refused + unknown} answers (${refused} refused, ${unknown} unknown)`,
      `accepted ${accepted.size}, delivered ${delivered}, waiting ${waiting}, events ${events}`,
      ...(faults.size > 0 ? [`now: ${[...faults.values()].join(', ')}`] : []),
    ].join(' · ');
  }

  return {
    journal: {
      append: (fact, t) => {
        const at = inner.append(fact, t);
        look(fact, at);
        return at;
      },
      close: () => inner.close(),
    },
    storeMs,
    inbound,
    lastEventAt: () => lastEventAt,
    onAnswer: (action, answer) => {
      requests[answer.outcome] += 1;
      for (const { id } of answer.taken) accepted.add(id);
      if (action.do === 'receive' && answer.outcome === 'taken') inbound.add(action.recipient);
    },
    start: (outside) => {
      const tellDay = () => outside.setDay(utcDay(new Date(storeMs())));
      tellDay();
      timers.push(
        setInterval(tellDay, DAY_EVERY_MS),
        setInterval(() => log(line(outside)), LINE_EVERY_MS),
      );
    },
    stop: () => timers.forEach((timer) => clearInterval(timer)),
  };
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
