// The journal of a run in the order in which the rules ask for it: built in one pass, each entry looked at once.

import type {
  AnswerGot,
  CalendarSet,
  CapRead,
  Entry,
  EventSeen,
  Fault,
  MailboxRead,
  MessageRead,
  PhaseBegun,
  QuotaRead,
  RequestMade,
  WebhookGot,
  WireDot,
} from '../journal.ts';
import { createStoreClock, type StoreClock } from './store-clock.ts';

type Seen<T> = T & { t: number };

/** A request and its answer; null while none came. */
export interface Asked {
  request: Seen<RequestMade>;
  /** The same for requests with one key, as long as an answer is kept: 24 hours by the store's clock. */
  work: string;
  answer: Seen<AnswerGot> | null;
}

/** One transaction at the receiving side. */
export interface Transaction {
  id: number;
  recipient: string;
  /** The name with which the sender greeted; null when it is not known. */
  sender: string | null;
  rcpt: { t: number; reply: string } | null;
  /** When the command DATA came. */
  dataAt: number | null;
  /** The whole message. */
  dot: Seen<WireDot> | null;
  verdict: { t: number; reply: string; written: boolean } | null;
}

/** A fault from its begin to its end. */
export interface FaultSpan {
  name: string;
  target: string;
  from: number;
  to: number;
}

/** Everything that the rules look at. */
export interface Evidence {
  clock: StoreClock;
  /** Tenant id by the name of its domain. */
  tenantOf: Map<string, string>;
  asked: Asked[];
  askedBy: Map<string, Asked[]>;
  /** Transactions by recipient, in the order of their first sign. */
  wire: Map<string, Transaction[]>;
  faults: FaultSpan[];
  messages: Map<string, Seen<MessageRead>>;
  messagesTo: Map<string, Seen<MessageRead>[]>;
  followed: Seen<EventSeen>[];
  listed: Seen<EventSeen>[];
  webhooks: Seen<WebhookGot>[];
  mailbox: Seen<MailboxRead>[];
  caps: Seen<CapRead>[];
  quotas: Seen<QuotaRead>[];
  phases: Seen<PhaseBegun>[];
  /** When the first and the last entry were written. */
  from: number;
  to: number;
}

const KEPT_MS = 86_400_000; // contract section 2: an answer is repeated for 24 hours

/** Reads the journal, which is in the order of `t`. */
export function readEvidence(entries: Entry[]): Evidence {
  const calendar: Seen<CalendarSet>[] = [];
  const evidence: Evidence = {
    clock: createStoreClock(calendar),
    tenantOf: new Map(),
    asked: [],
    askedBy: new Map(),
    wire: new Map(),
    faults: [],
    messages: new Map(),
    messagesTo: new Map(),
    followed: [],
    listed: [],
    webhooks: [],
    mailbox: [],
    caps: [],
    quotas: [],
    phases: [],
    from: entries[0]?.t ?? 0,
    to: entries.at(-1)?.t ?? 0,
  };
  const reader = {
    requests: new Map<string, Asked>(),
    works: new Map<string, number>(),
    ...createWireReader(evidence.wire),
    ...createFaultReader(evidence.faults),
  };
  for (const entry of entries) {
    if (entry.kind === 'calendar') calendar.push(entry);
    else place(evidence, reader, entry);
  }
  return evidence;
}

type Reader = ReturnType<typeof createWireReader> &
  ReturnType<typeof createFaultReader> & {
    requests: Map<string, Asked>;
    /** When the first request with a key was made, by the store's clock. */
    works: Map<string, number>;
  };

function place(evidence: Evidence, reader: Reader, entry: Exclude<Entry, { kind: 'calendar' }>): void {
  switch (entry.kind) {
    case 'run':
      for (const { id, domains } of entry.tenants)
        for (const { name } of domains) evidence.tenantOf.set(name, id);
      return;
    case 'request':
      return addRequest(evidence, reader, entry);
    case 'answer': {
      const asked = reader.requests.get(entry.request);
      if (asked) asked.answer = entry;
      return;
    }
    case 'connected':
    case 'rcpt':
    case 'data':
    case 'dot':
    case 'verdict':
    case 'closed':
      return reader.readWire(entry);
    case 'fault':
      return reader.readFault(entry);
    case 'message':
      evidence.messages.set(entry.id, entry);
      return addTo(evidence.messagesTo, entry.recipient, entry);
    case 'event':
      (entry.how === 'followed' ? evidence.followed : evidence.listed).push(entry);
      return;
    case 'webhook':
      evidence.webhooks.push(entry);
      return;
    case 'mailbox':
      evidence.mailbox.push(entry);
      return;
    case 'cap':
      evidence.caps.push(entry);
      return;
    case 'quota':
      evidence.quotas.push(entry);
      return;
    case 'phase':
      evidence.phases.push(entry);
      return;
    default:
      return entry satisfies never;
  }
}

function addRequest(
  evidence: Evidence,
  { requests, works }: Pick<Reader, 'requests' | 'works'>,
  request: Seen<RequestMade>,
): void {
  const asked: Asked = { request, work: workOf(evidence, works, request), answer: null };
  requests.set(request.request, asked);
  evidence.asked.push(asked);
  for (const recipient of new Set(request.recipients)) addTo(evidence.askedBy, recipient, asked);
}

function workOf(
  { clock }: Evidence,
  works: Map<string, number>,
  { request, tenant, once, t }: Seen<RequestMade>,
) {
  if (once === null) return request;
  const key = `${tenant} ${once}`;
  const now = clock.at(t);
  const since = works.get(key);
  if (since !== undefined && now < since + KEPT_MS) return `${key} ${since}`;
  works.set(key, now);
  return `${key} ${now}`;
}

function createWireReader(wire: Map<string, Transaction[]>) {
  const senders = new Map<number, string>();
  const open = new Map<number, Transaction>();
  const transactionOf = (id: number, connection: number, recipient: string) => {
    let found = open.get(id);
    if (!found) {
      const sender = senders.get(connection) ?? null;
      found = { id, recipient, sender, rcpt: null, dataAt: null, dot: null, verdict: null };
      open.set(id, found);
      addTo(wire, recipient, found);
    }
    return found;
  };
  return {
    readWire(entry: Extract<Entry, { kind: 'connected' | 'rcpt' | 'data' | 'dot' | 'verdict' | 'closed' }>) {
      if (entry.kind === 'connected') return void senders.set(entry.connection, entry.helo);
      if (entry.kind === 'closed') return;
      const transaction = transactionOf(entry.transaction, entry.connection, entry.recipient);
      if (entry.kind === 'rcpt') transaction.rcpt = entry;
      else if (entry.kind === 'data') transaction.dataAt = entry.t;
      else if (entry.kind === 'dot') transaction.dot = entry;
      else transaction.verdict = entry;
    },
  };
}

function createFaultReader(faults: FaultSpan[]) {
  const open = new Map<string, FaultSpan>();
  return {
    readFault({ phase, fault, name, target, t }: Seen<Fault>) {
      if (phase === 'ended') {
        const span = open.get(fault);
        if (span) span.to = t;
      }
      if (phase !== 'begun') return;
      const span = { name, target, from: t, to: Infinity };
      open.set(fault, span);
      faults.push(span);
    },
  };
}

/** Adds to the list under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
