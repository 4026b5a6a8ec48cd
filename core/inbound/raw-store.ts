// Inbound mail as it came: chunks while it is coming in, rows once it is accepted.
//
// Guarantee: `acceptRaws` is one statement, so its rows are there together or not at all, and it returns after COMMIT.
// Large mail is written chunk by chunk before that, under a row in inbound_uploads, which the accepting statement
// deletes: a chunk either belongs to an accepted raw, or to an upload that a sweep can find.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import type { ScanResult } from '../db/schema/inbound.ts';

/** Bytes of one chunk. Mail up to this size is one row; 50 sessions of 25 MiB then hold 12 MiB together. */
export const CHUNK_BYTES = 256 * 1024;

/** What a recipient address stands for. */
export type RecipientKind = 'mail' | 'bounce' | 'complaint' | 'aggregate' | 'ignored';

/** One accepted recipient. Ids are UUIDs; `deliveryId` is used if the tenant's webhook is on. */
interface NewInboundMessage {
  id: string;
  deliveryId: string;
  domainId: string;
  kind: RecipientKind;
  recipient: string;
  /** The sent message that a return path names. */
  aboutMessageId: string | null;
  /** Spam or a virus, as its domain's policy has it. */
  junk: boolean;
  /** Its domain refuses such mail, which could not be refused: it is kept, and not delivered to the webhook. */
  withheld: boolean;
}

/** One accepted DATA of one tenant. `lastChunk` is what is not stored yet; null when it was all uploaded. */
export interface NewRaw {
  id: string;
  tenantId: string;
  mailFrom: string;
  helo: string;
  peer: string;
  tls: string | null;
  smtputf8: boolean;
  sizeBytes: number;
  lastChunk: { seq: number; bytes: Buffer } | null;
  /** Null when no scanner is set up. */
  scan: ScanResult | null;
  messages: NewInboundMessage[];
}

/** A raw with its envelope, as it is read again. */
export interface Raw {
  id: string;
  tenantId: string;
  mailFrom: string;
  helo: string;
  peer: string;
  sizeBytes: number;
  receivedAt: Date;
}

/**
 * How long a delivery waits for its message to be read, so that it can say what SPF, DKIM and DMARC said. Longer than
 * the 8 s that their look-ups may take; after it the delivery goes out without.
 */
const READ_WITHIN_MS = 10_000;

/** Stores raws with their recipients, and a delivery for each recipient whose tenant has its webhook on. */
export async function acceptRaws(pool: pg.Pool, raws: NewRaw[]): Promise<void> {
  const messages = raws.flatMap((raw) => raw.messages.map((message) => ({ raw, message })));
  const tails = raws.flatMap(({ id, lastChunk }) => (lastChunk ? [{ id, ...lastChunk }] : []));
  await pool.query({
    name: 'inbound-accept',
    text: ACCEPT,
    values: [
      raws.map((raw) => raw.id),
      raws.map((raw) => raw.tenantId),
      raws.map((raw) => raw.mailFrom),
      raws.map((raw) => raw.helo),
      raws.map((raw) => raw.peer),
      raws.map((raw) => raw.tls),
      raws.map((raw) => raw.smtputf8),
      raws.map((raw) => raw.sizeBytes),
      tails.map((tail) => tail.id),
      tails.map((tail) => tail.seq),
      tails.map((tail) => tail.bytes),
      messages.map(({ message }) => message.id),
      messages.map(({ message }) => message.deliveryId),
      messages.map(({ raw }) => raw.id),
      messages.map(({ raw }) => raw.tenantId),
      messages.map(({ message }) => message.domainId),
      messages.map(({ message }) => message.kind),
      messages.map(({ message }) => message.recipient),
      messages.map(({ message }) => message.aboutMessageId),
      messages.map(({ raw }) => raw.sizeBytes),
      READ_WITHIN_MS,
      raws.map((raw) => (raw.scan ? JSON.stringify(raw.scan) : null)),
      messages.map(({ message }) => message.junk),
      messages.map(({ message }) => message.withheld),
    ],
  });
}

const ACCEPT = `
  with raws as (
    insert into inbound_raws (id, tenant_id, mail_from, helo, peer, tls, smtputf8, size_bytes, scan, work_due_at)
    select *, now() from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::boolean[], $8::int[], $22::jsonb[])),
  chunks as (
    insert into inbound_chunks (raw_id, seq, bytes) select * from unnest($9::uuid[], $10::int[], $11::bytea[])),
  uploads as (delete from inbound_uploads where raw_id = any($1::uuid[])),
  m as materialized (
    select m.*, now() as now from unnest($12::uuid[], $13::uuid[], $14::uuid[], $15::uuid[], $16::uuid[], $17::text[], $18::text[],
      $19::uuid[], $20::int[], $23::boolean[], $24::boolean[])
      as m(id, delivery_id, raw_id, tenant_id, domain_id, kind, recipient, about, size_bytes, junk, withheld)),
  placed as materialized (
    select m.id, m.tenant_id, m.raw_id, m.domain_id, m.kind, m.recipient, m.now as received_at,
      (select b.id from mailboxes b
       where m.kind = 'mail' and b.tenant_id = m.tenant_id
         and b.address in (lower(m.recipient), '*@' || lower(substring(m.recipient from '@([^@]*)$')))
       order by b.address like '*@%' limit 1) as mailbox_id,
      m.about, case when m.kind = 'ignored' then 'not ours' end as outcome, m.junk
    from m),
  messages as (
    insert into inbound_messages (id, tenant_id, raw_id, domain_id, kind, recipient, received_at, mailbox_id,
      about_message_id, outcome, junk)
    select placed.* from placed, ${HERE}),
  wanted as materialized (
    select m.delivery_id, m.tenant_id, w.id, m.id as message_id, m.raw_id, m.recipient, m.size_bytes,
      now() + $21 * interval '1 millisecond' as at, m.now as created_at, m.now as round_started_at
    from m join webhook_endpoints w on w.tenant_id = m.tenant_id and w.kind = 'inbound' and w.enabled and w.url is not null
    where m.kind = 'mail' and not m.withheld),
  deliveries as (
    insert into webhook_deliveries (id, tenant_id, endpoint_id, message_id, raw_id, recipient, size_bytes,
      next_attempt_at, created_at, round_started_at)
    select wanted.* from wanted, ${HERE})
  select 1`;

/** Stores one chunk of mail that is still coming in; the first one announces the upload. */
export async function putChunk(pool: pg.Pool, rawId: string, seq: number, bytes: Buffer): Promise<void> {
  const store = 'insert into inbound_chunks (raw_id, seq, bytes) values ($1::uuid, $2::int, $3::bytea)';
  const announce = 'insert into inbound_uploads (raw_id) values ($1::uuid)';
  await pool.query({
    name: seq === 0 ? 'inbound-chunk-first' : 'inbound-chunk',
    text: seq === 0 ? `with upload as (${announce}), chunk as (${store}) select 1` : store,
    values: [rawId, seq, bytes],
  });
}

/** Gives another tenant's raw its own copy of an upload. */
export async function copyUpload(pool: pg.Pool, fromId: string, toId: string): Promise<void> {
  await pool.query({
    name: 'inbound-chunk-copy',
    text: `with upload as (insert into inbound_uploads (raw_id) values ($2::uuid)),
           copy as (
             insert into inbound_chunks (raw_id, seq, bytes)
             select $2::uuid, seq, bytes from inbound_chunks where raw_id = $1::uuid)
           select 1`,
    values: [fromId, toId],
  });
}

/** Forgets mail that never arrived in full. Does nothing to one that was accepted. */
export async function dropUpload(pool: pg.Pool, rawId: string): Promise<void> {
  await pool.query({
    name: 'inbound-upload-drop',
    text: `with gone as (delete from inbound_uploads where raw_id = $1 returning raw_id)
           delete from inbound_chunks c using gone where c.raw_id = gone.raw_id`,
    values: [rawId],
  });
}

/** Forgets uploads older than any session may last: their process died. Returns how many. */
export async function dropLostUploads(pool: pg.Pool, olderThanMs: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'inbound-uploads-lost',
    text: `with gone as (
             delete from inbound_uploads where created_at < now() - $1 * interval '1 millisecond' returning raw_id),
           chunks as (delete from inbound_chunks c using gone where c.raw_id = gone.raw_id)
           select count(*)::int as count from gone`,
    values: [olderThanMs],
  });
  return rows[0]?.count ?? 0;
}

/** The chunks of mail that is still coming in, in order. Throws when one of them is gone. */
export async function* readUpload(pool: pg.Pool, rawId: string, chunks: number): AsyncGenerator<Buffer> {
  for (let seq = 0; seq < chunks; seq++) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'inbound-upload-read',
      text: 'select bytes from inbound_chunks where raw_id = $1 and seq = $2',
      values: [rawId, seq],
    });
    if (!rows[0]) throw new Error('a chunk of mail that is coming in is gone');
    yield rows[0].bytes;
  }
}

/** The bytes of one raw, chunk by chunk: never more than one of them in memory. */
export async function* readChunks(pool: pg.Pool, tenantId: string, rawId: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'inbound-chunk-read',
      text: `select c.bytes from inbound_raws r join inbound_chunks c on c.raw_id = r.id
             where r.tenant_id = $1 and r.id = $2 and c.seq = $3`,
      values: [tenantId, rawId, seq],
    });
    const bytes = rows[0]?.bytes;
    if (bytes === undefined) return;
    yield bytes;
    if (bytes.length < CHUNK_BYTES) return;
  }
}

/** All bytes of one raw. */
export async function readWhole(pool: pg.Pool, tenantId: string, rawId: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readChunks(pool, tenantId, rawId)) parts.push(part);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
