// The journal of a run: what was seen from outside of Postrider, as facts, one JSON object a line. Everything that the
// auditor knows stands here, so that a stored run can be audited again. Each writer (the load, the sink, the faults) has
// a file of its own in the run's folder.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** How a request came in. Recipients of mail are addresses that the run uses once, unless they are to be suppressed. */
export type Via =
  | 'rest' // POST /transactional/send
  | 'batch' // POST /transactional/batch
  | 'grpc' // Send
  | 'stream' // SendStream
  | 'graphql' // the mutation that sends
  | 'submission' // SMTP submission
  | 'campaign' // launch; the recipients are the contacts of its list
  | 'suppression' // POST /suppressions; the recipient is the address that is suppressed from its answer on
  | 'inbound'; // SMTP to the inbound service

/** What a request asked for, written before its first byte goes out. */
export interface RequestMade {
  kind: 'request';
  /** Unique in the run. A repetition is a request of its own. */
  request: string;
  via: Via;
  /** `tnt_…` */
  tenant: string;
  /** The sending domain; of inbound mail the receiving one. */
  domain: string;
  /** Name of the API key in the run, for what is counted by key; null where none is used. */
  apiKey: string | null;
  /** Idempotency key; for gRPC also the message id chosen by the caller. Requests with equal ones are the same work. */
  once: string | null;
  recipients: string[];
  /** SHA-256 (hex) of the body; for inbound and submission of what goes over the wire after DATA, dots unstuffed. */
  sha256: string;
  /** Address (host:port) that was asked. */
  to: string;
}

/** What became of one recipient of a request that was taken. */
export interface Taken {
  /** `msg_…` */
  id: string;
  recipient: string;
  /** `queued`, `deferred` or `dropped`; of a replayed answer what it was then. */
  status: string;
  reason: string | null;
  deferredUntil: string | null;
}

/** The answer, as the client understood it. A request without one was under way when the prover ended. */
export interface AnswerGot {
  kind: 'answer';
  request: string;
  via: Via;
  /**
   * `taken`: 2xx, OK, 250. `refused`: an answer after which nothing was stored. `unknown`: no answer, a time limit, a
   * broken connection, or 503 that may have been stored.
   */
  outcome: 'taken' | 'refused' | 'unknown';
  /** HTTP status, SMTP code or gRPC code; 0 without an answer. */
  status: number;
  /** Error code of the API, text of the SMTP reply, or why there was no answer. */
  error: string | null;
  /** Of `taken` mail. A batch has those items that were taken; the others are in `failed`. */
  taken: Taken[];
  /** Items of a batch, and recipients of it, that were refused by themselves. */
  failed: { recipient: string; error: string }[];
  /** It was told to be the first answer of an earlier request with the same `once`. */
  replayed: boolean;
  retryAfterSeconds: number | null;
  /** `cmp_…` of a launch. */
  campaign: string | null;
  quota: { used: number; cap: number } | null;
  rate: { limit: number; remaining: number; resetSeconds: number } | null;
}

/** A client of the sink greeted. */
interface WireConnected {
  kind: 'connected';
  connection: number;
  /**
   * The name in its EHLO. The stack starts each sender with OUTBOUND_HOSTNAME = the name that its faults have as `target`
   * (`sender-1`), so that a repeat is excused only by a fault of the very sender that may not have got its verdict.
   */
  helo: string;
}

/** RCPT of one transaction at the sink, answered. A transaction has one recipient. */
interface WireRecipient {
  kind: 'rcpt';
  connection: number;
  /** Unique in the run. */
  transaction: number;
  mailFrom: string;
  recipient: string;
  reply: string;
}

/** The sink got DATA; `t` is when the command came, before it was answered. */
interface WireData {
  kind: 'data';
  connection: number;
  transaction: number;
  recipient: string;
  reply: string;
}

/** The whole message is here: the final dot came. */
export interface WireDot {
  kind: 'dot';
  connection: number;
  transaction: number;
  recipient: string;
  /** The header Message-ID without its brackets: `<uuid>@<sending domain>`, null without one. */
  messageId: string | null;
  /** Domain of the header From. */
  from: string | null;
  /** SHA-256 (hex) of what came after DATA, dots unstuffed, without the final dot. */
  sha256: string;
  octets: number;
}

/** The answer to the final dot. */
interface WireVerdict {
  kind: 'verdict';
  connection: number;
  transaction: number;
  recipient: string;
  reply: string;
  /** Whether the socket took it; false when the peer was gone by then. */
  written: boolean;
}

/** A connection ended. */
interface WireClosed {
  kind: 'closed';
  connection: number;
  /** The transaction that was between DATA and verdict, or null. */
  transaction: number | null;
}

/** The customer's endpoint got an inbound webhook request. */
export interface WebhookGot {
  kind: 'webhook';
  /** `dlv_…`, `inm_…`, `tnt_…` */
  delivery: string;
  message: string;
  tenant: string;
  recipient: string;
  attempt: number;
  sha256: string;
  octets: number;
  /** Whether the signature over the raw body is good. */
  signed: boolean;
  /** What the endpoint answered. */
  status: number;
}

/** A message of a mailbox, read over the API after the load. */
export interface MailboxRead {
  kind: 'mailbox';
  message: string;
  tenant: string;
  recipient: string;
  sha256: string;
  octets: number;
}

/** One event, `followed` with `GET /events?order=asc` during the run, or `listed` newest first at its end. */
export interface EventSeen {
  kind: 'event';
  how: 'followed' | 'listed';
  tenant: string;
  /** `evt_…` */
  id: string;
  type: string;
  message: string;
  recipient: string;
  occurredAt: string;
}

/** What the API says of a domain's warm-up. */
export interface CapRead {
  kind: 'cap';
  tenant: string;
  domain: string;
  /** The UTC day of `used`, by the store. */
  day: string;
  tier: number;
  cap: number;
  used: number;
  state: string;
  /** When the question went out; the answer was true at some time between this and `t`. */
  asked: number;
}

/** What the API says of a tenant's month. */
export interface QuotaRead {
  kind: 'quota';
  tenant: string;
  used: number;
  cap: number;
  resetsAt: string;
  asked: number;
}

/** A message as the API lists it at the end: all of the tenant, those too whose answer nobody got. */
export interface MessageRead {
  kind: 'message';
  tenant: string;
  id: string;
  recipient: string;
  domain: string;
  campaign: string | null;
  status: string;
  reason: string | null;
  deferReason: string | null;
  deferredUntil: string | null;
  createdAt: string;
}

/**
 * A fault begins or ends, or cannot be made on this machine (`skipped`; `detail` says why). One without duration (a kill)
 * ends at once; its process is back when the target is ready.
 */
export interface Fault {
  kind: 'fault';
  phase: 'begun' | 'ended' | 'skipped';
  /** Unique in the run. */
  fault: string;
  /** What it is, for example `kill`, `freeze`, `postgres-read-only`. */
  name: string;
  /** What it meets, for example `sender-2`, `redis`. */
  target: string;
  pid: number | null;
  detail: string | null;
}

/** At `t` the store's clock says `storeMs`. It was moved, if at all, between `since` and `t`; it runs on from there. */
export interface CalendarSet {
  kind: 'calendar';
  /** Milliseconds since the epoch. */
  storeMs: number;
  since: number;
}

/** The head of the journal. */
export interface RunBegun {
  kind: 'run';
  run: string;
  seed: number;
  minutes: number;
  commit: string;
  /** Name of the planted bug, null for what ships. */
  bug: string | null;
  startedAt: string;
  tenants: { id: string; name: string; domains: { id: string; name: string; tier: number }[] }[];
}

/** The run goes over to another part. */
export interface PhaseBegun {
  kind: 'phase';
  /** `load` with faults, `settle` without both until nothing moves, `read`, `end`. */
  phase: 'load' | 'settle' | 'read' | 'end';
  /** Of `read`: whether the end state was reached in time. */
  settled: boolean | null;
}

/** One fact. */
export type Fact =
  | RunBegun
  | PhaseBegun
  | RequestMade
  | AnswerGot
  | WireConnected
  | WireRecipient
  | WireData
  | WireDot
  | WireVerdict
  | WireClosed
  | WebhookGot
  | MailboxRead
  | EventSeen
  | CapRead
  | QuotaRead
  | MessageRead
  | Fault
  | CalendarSet;

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
