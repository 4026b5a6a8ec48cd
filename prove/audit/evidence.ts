// The journal of a run in the order in which the rules ask for it: built in one pass, each entry looked at once.

import type {
  CapRead,
  EventSeen,
  MailboxRead,
  MessageRead,
  QuotaRead,
  WaitingRead,
  WebhookGot,
} from '../facts/reads.ts';
import type { CalendarSet, Fault, LeftOut, PhaseBegun, RunBegun, Trouble } from '../facts/run.ts';
import type { Entry } from '../journal.ts';
import { createRequestReader, type Asked } from './asked.ts';
import { addTo } from './by-key.ts';
import { createFaultReader, type FaultSpan } from './fault.ts';
import { createStoreClock, type StoreClock } from './store-clock.ts';
import { createWireReader, type Transaction } from './transactions.ts';

type Seen<T> = T & { t: number };

/** Everything that the rules look at. */
export interface Evidence {
  /** The head of the journal; null when it was cut off. */
  run: RunBegun | null;
  clock: StoreClock;
  asked: Asked[];
  askedBy: Map<string, Asked[]>;
  /** Transactions by recipient, in the order of their first sign. */
  wire: Map<string, Transaction[]>;
  faults: FaultSpan[];
  /** Faults that this machine could not make. */
  skipped: Fault[];
  leftOut: LeftOut[];
  troubles: Seen<Trouble>[];
  messages: Map<string, Seen<MessageRead>>;
  messagesTo: Map<string, Seen<MessageRead>[]>;
  followed: Seen<EventSeen>[];
  listed: Seen<EventSeen>[];
  webhooks: Seen<WebhookGot>[];
  mailbox: Seen<MailboxRead>[];
  caps: Seen<CapRead>[];
  quotas: Seen<QuotaRead>[];
  /** What the API said of each message that waits, by its id, in order. */
  waiting: Map<string, Seen<WaitingRead>[]>;
  /** What operators did to each domain, in order; what was refused changed nothing and is not here. */
  changes: Map<string, Asked[]>;
  phases: Seen<PhaseBegun>[];
  /** When the first and the last entry were written. */
  from: number;
  to: number;
}

/** Reads the journal, which is in the order of `t`. */
export function readEvidence(entries: Entry[]): Evidence {
  const calendar: Seen<CalendarSet>[] = [];
  const evidence: Evidence = {
    run: null,
    clock: createStoreClock(calendar),
    asked: [],
    askedBy: new Map(),
    wire: new Map(),
    faults: [],
    skipped: [],
    leftOut: [],
    troubles: [],
    messages: new Map(),
    messagesTo: new Map(),
    followed: [],
    listed: [],
    webhooks: [],
    mailbox: [],
    caps: [],
    quotas: [],
    waiting: new Map(),
    changes: new Map(),
    phases: [],
    from: entries[0]?.t ?? 0,
    to: entries.at(-1)?.t ?? 0,
  };
  const readers = createReaders(evidence);
  for (const entry of entries) {
    if (entry.kind === 'run' && calendar.length === 0) calendar.push(machineClock(entry));
    if (entry.kind === 'calendar') calendar.push(entry);
    else place(evidence, readers, entry);
  }
  for (const one of evidence.asked)
    if (one.request.via === 'change' && one.answer?.outcome !== 'refused')
      addTo(evidence.changes, one.request.domain, one);
  return evidence;
}

// Where no calendar is driven the store's clock is the machine's.
function machineClock({ startedAt, t }: Seen<RunBegun>): Seen<CalendarSet> {
  return { kind: 'calendar', storeMs: Date.parse(startedAt), since: t, t };
}

function createReaders({ clock, asked, askedBy, wire, faults, skipped }: Evidence) {
  return {
    ...createRequestReader(clock, asked, askedBy),
    ...createWireReader(wire),
    ...createFaultReader(faults, skipped),
  };
}

function place(
  evidence: Evidence,
  readers: ReturnType<typeof createReaders>,
  entry: Exclude<Entry, { kind: 'calendar' }>,
): void {
  switch (entry.kind) {
    case 'run':
      evidence.run = entry;
      return;
    case 'request':
      return readers.addRequest(entry);
    case 'answer':
      return readers.addAnswer(entry);
    case 'connected':
    case 'rcpt':
    case 'data':
    case 'go_ahead':
    case 'dot':
    case 'verdict':
    case 'closed':
      return readers.readWire(entry);
    case 'fault':
      return readers.readFault(entry);
    case 'message':
      evidence.messages.set(entry.id, entry);
      return addTo(evidence.messagesTo, entry.recipient, entry);
    case 'event':
      return void (entry.how === 'followed' ? evidence.followed : evidence.listed).push(entry);
    case 'webhook':
      return void evidence.webhooks.push(entry);
    case 'mailbox':
      return void evidence.mailbox.push(entry);
    case 'cap':
      return void evidence.caps.push(entry);
    case 'quota':
      return void evidence.quotas.push(entry);
    case 'waiting':
      return addTo(evidence.waiting, entry.id, entry);
    case 'phase':
      return void evidence.phases.push(entry);
    case 'left_out':
      return void evidence.leftOut.push(entry);
    case 'trouble':
      return void evidence.troubles.push(entry);
    default:
      return entry satisfies never;
  }
}
