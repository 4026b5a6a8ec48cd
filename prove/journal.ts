// The journal of a run: what was seen from outside of Postrider, as facts, one JSON object a line. Everything that the
// auditor knows stands here, so that a stored run can be audited again. Each writer (the load, the sink, the faults) has
// a file of its own in the run's folder.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type {
  CapRead,
  EventSeen,
  MailboxRead,
  MessageRead,
  QuotaRead,
  WaitingRead,
  WebhookGot,
} from './facts/reads.ts';
import type { AnswerGot, RequestMade } from './facts/requests.ts';
import type { CalendarSet, Fault, LeftOut, PhaseBegun, RunBegun, Trouble } from './facts/run.ts';
import type {
  WireClosed,
  WireConnected,
  WireData,
  WireGoAhead,
  WireDot,
  WireRecipient,
  WireVerdict,
} from './facts/wire.ts';

/** One fact. */
export type Fact =
  | RunBegun
  | PhaseBegun
  | RequestMade
  | AnswerGot
  | WireConnected
  | WireRecipient
  | WireData
  | WireGoAhead
  | WireDot
  | WireVerdict
  | WireClosed
  | WebhookGot
  | MailboxRead
  | EventSeen
  | CapRead
  | QuotaRead
  | MessageRead
  | WaitingRead
  | Fault
  | CalendarSet
  | LeftOut
  | Trouble;

/** One line of the journal: a fact, and when it was seen in milliseconds of `journalMs`. */
export type Entry = Fact & { t: number };

/** Where a writer puts its facts. */
export interface Journal {
  /** Writes a fact before it returns, so that a prover that dies has claimed nothing that is not there. Returns its `t`. */
  append(fact: Fact, t?: number): number;
  close(): void;
}

/** Milliseconds of CLOCK_MONOTONIC: the same clock in every process of this machine, never set. */
export function journalMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** Opens the file of one writer in the run's folder. */
export function openJournal(folder: string, writer: string): Journal {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, `${writer}.jsonl`), 'a');
  return {
    append: (fact, t = journalMs()) => {
      writeSync(file, `${JSON.stringify({ t, ...fact })}\n`);
      return t;
    },
    close: () => closeSync(file),
  };
}

/** Everything that all writers of a run wrote, in the order of `t`. A last line that was cut off is left out. */
export function readJournal(folder: string): Entry[] {
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as Entry);
  return entries.sort((a, b) => a.t - b.t);
}
