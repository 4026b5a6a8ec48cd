// DATA (RFC 5321 section 4.1.1.4): stores what comes, byte for byte, and says 250 only after COMMIT.
//
// Memory: one chunk of 256 KiB per session. Mail up to that size waits in memory for the commit that it shares with
// others; larger mail goes to the store chunk by chunk while the client is still sending, and the client is slowed
// down to the pace of the store.

import type { SMTPServerDataStream, SMTPServerSession, SMTPServerAddress } from 'smtp-server';
import type pg from 'pg';

import type { Fail } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import type { Logger } from '../../core/base/log.ts';
import { endAfter, inSpan, startSpan } from '../../core/base/trace.ts';
import type { ScanResult } from '../../core/db/schema/inbound.ts';
import { HOME } from '../../core/db/service-tables.ts';
import { applyPolicy } from '../../core/inbound/scan.ts';
import {
  CHUNK_BYTES,
  copyUpload,
  dropUpload,
  putChunk,
  readUpload,
  type NewRaw,
  type RecipientKind,
} from '../../core/inbound/raw-store.ts';
import type { AcceptBatch } from '../accept-batch.ts';
import type { Receiver } from '../find-recipient.ts';
import { keepForOperators } from '../keep-for-operators.ts';
import type { Scanner } from '../scan-mail.ts';
import { HungUp, isHangUp, Refusal, tryAgain } from '../../core/smtp-server/refusal.ts';
import { judgeMail, senderOf, type Addressed } from './judge-mail.ts';
import { scanMessage, type MessageScan } from './scan-message.ts';

/** Largest message; announced in EHLO (RFC 1870). */
export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;

/** Where the mail of one bucket is stored. */
export interface InboundStore {
  pool: pg.Pool;
  batch: AcceptBatch;
}

/** What DATA needs. */
export interface DataDeps {
  home: pg.Pool;
  storeOf: (bucket: string) => Promise<InboundStore>;
  log: Logger;
  fail: Fail;
  scanner: Scanner | null;
  recipients: WeakMap<SMTPServerAddress, Receiver>;
}

interface Received {
  rawId: string;
  /** Where large mail is stored while it comes in: that of the first recipient. */
  bucket: string;
  sizeBytes: number;
  uploaded: number;
  tail: Buffer;
  scan: MessageScan;
}

/** Resolves with the text behind 250; throws a Refusal for anything else. */
export function onData(
  deps: DataDeps,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  const rawId = newUuid();
  const span = startSpan('receive', { kind: 'server', rootOf: rawId });
  return endAfter(
    span,
    inSpan(span, () => store(deps, stream, session, rawId)),
  );
}

async function store(
  deps: DataDeps,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  rawId: string,
): Promise<string> {
  const received: Received = {
    rawId,
    bucket: firstBucket(deps, session),
    sizeBytes: 0,
    uploaded: 0,
    tail: Buffer.alloc(0),
    scan: scanMessage(),
  };
  try {
    await receive(deps, stream, received);
    const { recipients, operators } = recipientsOf(deps, session);
    const problem = received.scan.problem();
    if (problem === 'smuggling')
      throw new Refusal(
        550,
        '5.6.11 A dot after a bare CR or LF, or alone beside one or NUL, is not accepted',
      );
    if (problem === 'loop') throw new Refusal(554, '5.4.6 This message is going round in circles');
    if (received.scan.isOurs() && recipients.some(({ recipient }) => !TAKES_OURS.has(recipient.kind))) {
      throw new Refusal(554, '5.4.6 Mail of ours does not go to our own report addresses');
    }
    const { pool } = await deps.storeOf(received.bucket);
    const judged = await judgeMail({ ...deps, pool }, session, received, recipients, operators);
    if (operators.length > 0) await acceptForOperators(deps, session, received, operators);
    if (recipients.length > 0) await accept(deps, session, received, recipients, judged);
    return `2.0.0 Stored as ${received.rawId}`;
  } catch (error) {
    if (received.uploaded > 0) await forget(deps, received.bucket, received.rawId);
    if (error instanceof Refusal) throw error;
    if (isHangUp(error)) throw new HungUp();
    deps.log.warn({ err: error, peer: session.remoteAddress }, 'mail was not stored');
    throw tryAgain();
  }
}

// Mailboxes, and aggregate reports: those about TLS are also sent by us (core/transport/send-report.ts).
const TAKES_OURS: ReadonlySet<RecipientKind> = new Set(['mail', 'aggregate']);

// After a failure the rest is read and discarded: the client gets the answer only after its final dot.
async function receive(deps: DataDeps, stream: SMTPServerDataStream, received: Received): Promise<void> {
  let parts: Buffer[] = [];
  let held = 0;
  let failure: unknown = null;
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    received.sizeBytes += bytes.length;
    if (failure !== null) continue;
    if (received.sizeBytes > MAX_MESSAGE_BYTES) {
      failure = new Refusal(552, '5.3.4 The message is larger than 25 MiB');
      parts = [];
      continue;
    }
    received.scan.push(bytes);
    parts.push(bytes);
    held += bytes.length;
    if (held < CHUNK_BYTES) continue;
    try {
      const rest = await upload(deps, received, Buffer.concat(parts, held));
      parts = [rest];
      held = rest.length;
    } catch (error) {
      failure = error;
      parts = [];
    }
  }
  if (failure !== null) throw failure;
  received.tail = Buffer.concat(parts, held);
}

async function upload(deps: DataDeps, received: Received, bytes: Buffer): Promise<Buffer> {
  const { pool } = await deps.storeOf(received.bucket);
  let rest = bytes;
  while (rest.length >= CHUNK_BYTES) {
    const seq = received.uploaded++;
    await putChunk(pool, received.rawId, seq, rest.subarray(0, CHUNK_BYTES));
    rest = rest.subarray(CHUNK_BYTES);
  }
  return Buffer.from(rest); // a copy, so that the whole chunk is not kept alive by its rest
}

function firstBucket({ recipients }: DataDeps, session: SMTPServerSession): string {
  for (const to of session.envelope.rcptTo) {
    const receiver = recipients.get(to);
    if (receiver && receiver !== 'operators') return receiver.bucket;
  }
  return HOME;
}

function recipientsOf(
  deps: DataDeps,
  session: SMTPServerSession,
): { recipients: Addressed[]; operators: string[] } {
  const recipients: Addressed[] = [];
  const operators: string[] = [];
  for (const to of session.envelope.rcptTo) {
    const receiver = deps.recipients.get(to);
    if (!receiver) throw new Error('a recipient was accepted without being resolved');
    if (receiver === 'operators') operators.push(to.address);
    else recipients.push({ address: to.address, recipient: receiver });
  }
  return { recipients, operators };
}

// Before the tenants' mail: if that fails the client comes again, and the operators have it twice.
async function acceptForOperators(
  deps: DataDeps,
  session: SMTPServerSession,
  received: Received,
  addresses: string[],
): Promise<void> {
  if (received.uploaded > 0) throw new Refusal(552, '5.3.4 Mail for postmaster may have 256 KiB');
  const kept = await keepForOperators(deps.home, {
    recipient: addresses.join(', '),
    mailFrom: senderOf(session),
    peer: session.remoteAddress,
    raw: received.tail,
  });
  if (!kept) throw new Refusal(452, '4.3.1 Too much mail for postmaster from your network today');
}

// One raw per tenant: what belongs to one can be read and deleted without reading another's. What goes to several buckets is
// not stored in one transaction: if one of them fails the client comes again, and the others have it twice.
async function accept(
  deps: DataDeps,
  session: SMTPServerSession,
  received: Received,
  recipients: Addressed[],
  scan: ScanResult | null,
): Promise<void> {
  const tenants = Map.groupBy(recipients, ({ recipient }) => recipient.tenantId);
  const raws: { bucket: string; raw: NewRaw }[] = [];
  try {
    for (const [tenantId, own] of tenants) {
      const { bucket } = own[0]!.recipient;
      const id = raws.length === 0 ? received.rawId : newUuid();
      raws.push({ bucket, raw: toRaw({ id, tenantId, session, received, scan }, own) });
      if (id !== received.rawId && received.uploaded > 0) await copy(deps, received, bucket, id);
    }
    const byBucket = [...Map.groupBy(raws, ({ bucket }) => bucket)];
    const stores = await Promise.all(byBucket.map(([bucket]) => deps.storeOf(bucket)));
    const ends = await Promise.allSettled(
      stores.map(({ batch }, at) => batch.accept(byBucket[at]![1].map(({ raw }) => raw))),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } catch (error) {
    if (received.uploaded > 0)
      for (const { bucket, raw } of raws.slice(1)) await forget(deps, bucket, raw.id);
    throw error;
  }
}

async function copy(deps: DataDeps, received: Received, bucket: string, id: string): Promise<void> {
  const { rawId, uploaded } = received;
  const [from, to] = await Promise.all([deps.storeOf(received.bucket), deps.storeOf(bucket)]);
  if (from === to) return copyUpload(to.pool, rawId, id);
  let seq = 0;
  for await (const bytes of readUpload(from.pool, rawId, uploaded)) await putChunk(to.pool, id, seq++, bytes);
}

function toRaw(
  one: {
    id: string;
    tenantId: string;
    session: SMTPServerSession;
    received: Received;
    scan: ScanResult | null;
  },
  recipients: Addressed[],
): NewRaw {
  const { id, tenantId, session, received, scan } = one;
  const { tail, uploaded } = received;
  return {
    id,
    tenantId,
    mailFrom: senderOf(session),
    helo: session.hostNameAppearsAs || '',
    peer: session.remoteAddress,
    tls: session.tlsOptions === false ? null : (session.tlsOptions?.version ?? null),
    smtputf8: session.envelope.smtpUtf8 === true,
    sizeBytes: received.sizeBytes,
    lastChunk: tail.length > 0 || uploaded === 0 ? { seq: uploaded, bytes: tail } : null,
    scan,
    messages: recipients.map(({ address, recipient }) => {
      const fate = applyPolicy(recipient.spamPolicy, scan);
      return {
        id: newUuid(),
        deliveryId: newUuid(),
        domainId: recipient.domainId,
        kind: recipient.kind,
        recipient: address,
        aboutMessageId: recipient.aboutMessageId,
        junk: fate !== 'keep',
        withheld: fate === 'refuse',
      };
    }),
  };
}

// Best effort: what stays is found by the sweep. It must not touch mail whose COMMIT was answered by silence; the
// row in inbound_uploads decides, because the accepting statement deletes it.
async function forget(deps: DataDeps, bucket: string, rawId: string): Promise<void> {
  try {
    await dropUpload((await deps.storeOf(bucket)).pool, rawId);
  } catch (error) {
    deps.log.warn(
      { err: error },
      'chunks of mail that was not accepted could not be deleted; the sweep deletes them',
    );
  }
}
