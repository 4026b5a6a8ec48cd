// Inbound mail as people read it. A message is there once it was parsed; every statement names the tenant.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import type { ScanResult } from '../db/schema/inbound.ts';
import type { AttachmentInfo, AuthResults } from './work-store.ts';

/** A message without its bodies. Ids are UUIDs. */
export interface InboundSummary {
  id: string;
  mailboxId: string | null;
  envelopeFrom: string;
  recipient: string;
  from: string | null;
  to: string[];
  cc: string[];
  subject: string | null;
  date: Date | null;
  attachments: AttachmentInfo[];
  auth: AuthResults;
  autoSubmitted: boolean;
  parseError: string | null;
  read: boolean;
  /** Spam or a virus, by the scanner, at a domain whose policy is not `keep`. */
  junk: boolean;
  /** What the scanner said; null when none was set up. */
  scan: ScanResult | null;
  sizeBytes: number;
  receivedAt: Date;
}

/** A whole message. */
export interface InboundMessage extends InboundSummary {
  text: string | null;
  html: string | null;
  headers: { name: string; value: string }[];
}

/** Which messages, newest first. */
export interface InboundPage {
  before: string | null;
  limit: number;
  mailboxId?: string | null | undefined;
  read?: boolean | undefined;
  junk?: boolean | undefined;
  /** Words that all must begin a word of the subject, the addresses or the text. */
  q?: string | undefined;
}

const SUMMARY = `m.id, m.mailbox_id as "mailboxId", r.mail_from as "envelopeFrom", m.recipient,
  c.header_from as "from", c.header_to as "to", c.header_cc as cc, c.subject, c.date, c.attachments, c.auth,
  c.auto_submitted as "autoSubmitted", c.parse_error as "parseError", m.read, m.junk, r.scan, r.size_bytes as "sizeBytes",
  m.received_at as "receivedAt"`;
const FROM = `from inbound_messages m join inbound_raws r on r.id = m.raw_id and r.tenant_id = m.tenant_id
  join inbound_contents c on c.raw_id = m.raw_id and c.tenant_id = m.tenant_id`;

/** A page of a tenant's messages. */
export async function listInbound(
  pool: pg.Pool,
  tenantId: string,
  page: InboundPage,
): Promise<InboundSummary[]> {
  const { rows } = await pool.query<InboundSummary>({
    name: 'inbound-list',
    text: `select ${SUMMARY} ${FROM}
           where m.tenant_id = $1 and m.kind = 'mail' and ($2::uuid is null or m.id < $2)
             and ($3::uuid is null or m.mailbox_id = $3) and ($4::boolean is null or m.read = $4)
             and ($5::text is null or c.search @@ to_tsquery('simple', $5))
             and ($7::boolean is null or m.junk = $7)
           order by m.id desc limit $6`,
    values: [
      tenantId,
      page.before,
      page.mailboxId ?? null,
      page.read ?? null,
      toTsQuery(page.q),
      page.limit,
      page.junk ?? null,
    ],
  });
  return rows;
}

const MAX_QUERY_WORDS = 20;

// Text without a word finds nothing: a word that no message has.
function toTsQuery(q: string | undefined): string | null {
  if (q === undefined) return null;
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return "'-'";
  return words
    .slice(0, MAX_QUERY_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

/** One message of a tenant, or null. */
export async function selectInbound(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<InboundMessage | null> {
  const { rows } = await pool.query<InboundMessage>({
    name: 'inbound-by-id',
    text: `select ${SUMMARY}, c.text, c.html, c.headers ${FROM}
           where m.tenant_id = $1 and m.id = $2 and m.kind = 'mail'`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** The bodies of these messages of a tenant. */
export async function selectInboundBodies(
  pool: pg.Pool,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<InboundMessage, 'text' | 'html' | 'headers'>>> {
  const { rows } = await pool.query<Pick<InboundMessage, 'id' | 'text' | 'html' | 'headers'>>({
    name: 'inbound-bodies',
    text: `select m.id, c.text, c.html, c.headers ${FROM}
           where m.tenant_id = $1 and m.id = any($2::uuid[]) and m.kind = 'mail'`,
    values: [tenantId, ids],
  });
  return new Map(rows.map(({ id, ...bodies }) => [id, bodies]));
}

/** Sets the read flag. False when there is no such message. */
export async function markInbound(
  pool: pg.Pool,
  tenantId: string,
  id: string,
  read: boolean,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'inbound-mark',
    text: `update inbound_messages set read = $3 where tenant_id = $1 and id = $2 and kind = 'mail'`,
    values: [tenantId, id, read],
  });
  return rowCount === 1;
}

/**
 * Deletes a message. The raw goes with its last recipient, unless a delivery still needs it; then it goes with
 * retention. False when there is no such message.
 */
export async function deleteInbound(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await db.query<{ gone: boolean }>({
    name: 'inbound-delete',
    text: `with gone as (
             delete from inbound_messages where tenant_id = $1 and id = $2 and kind = 'mail' returning raw_id),
           raws as (
             delete from inbound_raws r using gone
             where r.id = gone.raw_id and r.tenant_id = $1
               and not exists (select 1 from inbound_messages m where m.raw_id = r.id and m.id <> $2)
               and not exists (select 1 from webhook_deliveries d where d.raw_id = r.id and d.state <> 'accepted')
             returning r.id),
           chunks as (delete from inbound_chunks c using raws where c.raw_id = raws.id)
           select exists (select 1 from gone) as gone`,
    values: [tenantId, id],
  });
  return rows[0]?.gone ?? false;
}

/** The raw of a message and its size, or null. */
export async function findRawOf(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<{ rawId: string; sizeBytes: number } | null> {
  const { rows } = await pool.query<{ rawId: string; sizeBytes: number }>({
    name: 'inbound-raw-of',
    text: `select r.id as "rawId", r.size_bytes as "sizeBytes"
           from inbound_messages m join inbound_raws r on r.id = m.raw_id and r.tenant_id = m.tenant_id
           where m.tenant_id = $1 and m.id = $2 and m.kind = 'mail'`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** The bytes of one attachment, piece by piece. */
export async function* readAttachment(
  pool: pg.Pool,
  tenantId: string,
  rawId: string,
  index: number,
): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'inbound-attachment-read',
      text: `select a.bytes from inbound_raws r join inbound_attachments a on a.raw_id = r.id
             where r.tenant_id = $1 and r.id = $2 and a.index = $3 and a.seq = $4`,
      values: [tenantId, rawId, index, seq],
    });
    if (!rows[0]) return;
    yield rows[0].bytes;
  }
}
