// The parsing that stored mail still needs. A claim only moves `work_due_at` into the future: whoever dies with it
// loses it when that time comes. SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Raw, RecipientKind } from './raw-store.ts';

/** A raw to parse and route, with the recipients that it came to. */
export interface RawWork extends Raw {
  /** Claims of this raw, this one included. */
  attempts: number;
  messages: { id: string; domainId: string; kind: RecipientKind; aboutMessageId: string | null }[];
}

/** What the parser read. */
export interface InboundContent {
  headerFrom: string | null;
  headerTo: string[];
  headerCc: string[];
  subject: string | null;
  date: Date | null;
  text: string | null;
  html: string | null;
  headers: { name: string; value: string }[];
  attachments: AttachmentInfo[];
  auth: AuthResults;
  autoSubmitted: boolean;
  parseError: string | null;
}

/** One attachment without its bytes. */
export interface AttachmentInfo {
  index: number;
  filename: string | null;
  content_type: string;
  size_bytes: number;
}

/** What SPF, DKIM, DMARC and ARC said; recorded, never enforced. */
export interface AuthResults {
  spf: string;
  dkim: string;
  dmarc: string;
  /** RFC 8617; absent where no server on the way sealed the message. */
  arc?: string;
}

/** Bytes of one piece of an attachment. */
const ATTACHMENT_PIECE_BYTES = 512 * 1024;

/** Claims raws that are due, the longest due first, for `leaseMs`. */
export async function claimWork(pool: pg.Pool, limit: number, leaseMs: number): Promise<RawWork[]> {
  const { rows } = await pool.query<RawWork>({
    name: 'inbound-work-claim',
    text: `with due as materialized (
             select id from inbound_raws where work_due_at <= now() order by work_due_at limit $1
             for update skip locked),
           claimed as (
             update inbound_raws r
             set work_due_at = now() + $2 * interval '1 millisecond', work_attempts = r.work_attempts + 1
             from due where r.id = due.id
             returning r.id, r.tenant_id, r.mail_from, r.helo, r.peer, r.size_bytes, r.received_at, r.work_attempts)
           select c.id, c.tenant_id as "tenantId", c.mail_from as "mailFrom", c.helo, c.peer,
             c.size_bytes as "sizeBytes", c.received_at as "receivedAt", c.work_attempts as attempts,
             (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'domainId', m.domain_id, 'kind', m.kind,
                'aboutMessageId', m.about_message_id)), '[]')
              from inbound_messages m where m.raw_id = c.id) as messages
           from claimed c`,
    values: [limit, leaseMs],
  });
  return rows;
}

/** Puts a raw back, to be claimed after a while. */
export async function postponeWork(
  pool: pg.Pool,
  work: RawWork,
  inMs: number,
  keepAttempts = false,
): Promise<void> {
  await pool.query({
    name: 'inbound-work-postpone',
    text: `update inbound_raws
           set work_due_at = now() + $3 * interval '1 millisecond', work_attempts = work_attempts - $4::int
           where tenant_id = $1 and id = $2 and work_due_at is not null`,
    values: [work.tenantId, work.id, inMs, keepAttempts ? 1 : 0],
  });
}

/**
 * Records what was read and calls it done, in one transaction with `more`; when another process had done it already,
 * nothing is written. Without attachments and without `more` it is one statement. Returns the number of webhook
 * deliveries that waited for it.
 */
export async function finishWork(
  pool: pg.Pool,
  work: RawWork,
  content: InboundContent | null,
  bodies: { index: number; bytes: Buffer }[],
  more: ((client: pg.PoolClient) => Promise<void>) | null,
): Promise<number> {
  if (content && bodies.length === 0 && !more) return (await insertContent(pool, work, content)).due;
  return inTransaction(pool, async (client) => {
    const { done, due } = content ? await insertContent(client, work, content) : await markDone(client, work);
    if (!done) return 0;
    for (const body of bodies) await insertAttachment(client, work.id, body.index, body.bytes);
    await more?.(client);
    return due;
  });
}

interface Done {
  done: boolean;
  due: number;
}

// The first part of the text is what a search looks into: tsvector ends at 1 MB, and nobody remembers page 90.
const SEARCHED_CHARS = 100_000;

async function markDone(client: pg.PoolClient, work: RawWork): Promise<Done> {
  const { rowCount } = await client.query({
    name: 'inbound-work-done',
    text: 'update inbound_raws set work_due_at = null where tenant_id = $1 and id = $2 and work_due_at is not null',
    values: [work.tenantId, work.id],
  });
  return { done: rowCount === 1, due: 0 };
}

// Marks the raw as done and inserts what was read, if it was not done already. Its deliveries wait no longer.
async function insertContent(
  db: Pick<pg.Pool, 'query'>,
  work: RawWork,
  content: InboundContent,
): Promise<Done> {
  const names = [content.headerFrom ?? '', ...content.headerTo, ...content.headerCc].join(' ');
  const { rows } = await db.query<Done>({
    name: 'inbound-content',
    text: `with done as (
             update inbound_raws set work_due_at = null
             where id = $1::uuid and tenant_id = $2::uuid and work_due_at is not null returning id, tenant_id),
           due as (
             update webhook_deliveries d set next_attempt_at = now() from done
             where d.raw_id = done.id and d.tenant_id = done.tenant_id and d.state = 'pending' and d.first_attempt_at is null
             returning 1),
           content as (
           insert into inbound_contents (raw_id, tenant_id, header_from, header_to, header_cc, subject, date, text, html,
             headers, attachments, auth, auto_submitted, parse_error, search)
           select id, tenant_id, $3, $4::text[], $5::text[], $6, $7::timestamptz, $8, $9, $10::jsonb, $11::jsonb,
             $12::jsonb, $13::boolean, $14,
             to_tsvector('simple', $15) || to_tsvector('simple', $16) || to_tsvector('simple', $17)
           from done, ${HERE})
           select exists (select 1 from done) as done, (select count(*)::int from due) as due`,
    values: [
      work.id,
      work.tenantId,
      content.headerFrom,
      content.headerTo,
      content.headerCc,
      content.subject,
      content.date,
      content.text,
      content.html,
      JSON.stringify(content.headers),
      JSON.stringify(content.attachments),
      JSON.stringify(content.auth),
      content.autoSubmitted,
      content.parseError,
      searchWords(content.subject ?? ''),
      searchWords(names),
      searchWords(content.text ?? ''),
    ],
  });
  return rows[0]!;
}

// Words only: PostgreSQL would keep ann@example.com as one, and then not find "example".
function searchWords(text: string): string {
  return text.slice(0, SEARCHED_CHARS).replace(/[^\p{L}\p{N}]+/gu, ' ');
}

async function insertAttachment(
  client: pg.PoolClient,
  rawId: string,
  index: number,
  bytes: Buffer,
): Promise<void> {
  for (let seq = 0; seq * ATTACHMENT_PIECE_BYTES < bytes.length; seq++) {
    const piece = bytes.subarray(seq * ATTACHMENT_PIECE_BYTES, (seq + 1) * ATTACHMENT_PIECE_BYTES);
    await client.query({
      name: 'inbound-attachment',
      text: 'insert into inbound_attachments (raw_id, index, seq, bytes) values ($1, $2, $3, $4)',
      values: [rawId, index, seq, piece],
    });
  }
}
