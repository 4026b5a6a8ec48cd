// Inbound mail: what came after DATA byte for byte, who it was for, and what was read out of it.
//
// Words: a *raw* is one accepted DATA of one tenant, kept byte for byte in chunks. A *message* is one accepted
// recipient of it.
//
// The trigger `inbound_contents_announce` (0018_announcements.sql) tells webhooks of mail once it is read.

import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { bytea, time, timeOfInsert, tsvector } from './columns.ts';
import { tenants } from './tenant.ts';

/** The words for what a scan found. */
export const SCAN_VERDICTS = ['clean', 'spam', 'virus', 'not_scanned'] as const;

/**
 * Why a message was not scanned: no scanner is set up (`off`); it did not answer in time, could not be reached, answered with
 * an HTTP error or something else than its protocol says, was told to skip such mail, or failed just before and is not asked
 * for a while (`paused`).
 */
export const NOT_SCANNED_REASONS = [
  'off',
  'timeout',
  'unreachable',
  'error',
  'bad_answer',
  'skipped',
  'paused',
] as const;

/** What the scanner said of one message, as it is stored and shown. */
export interface ScanResult {
  verdict: (typeof SCAN_VERDICTS)[number];
  /** Why it was not scanned; null when it was. */
  reason: (typeof NOT_SCANNED_REASONS)[number] | null;
  /** In the scanner's points; null when it was not scanned. */
  score: number | null;
  /** The score from which the scanner rejects. */
  required_score: number | null;
  /** In rspamd's words: `no action`, `greylist`, `soft reject`, `add header`, `rewrite subject`, `reject` or one of its operator's own. */
  action: string | null;
  /** The name that the virus scanner has for what it found. */
  virus: string | null;
  /** The rules that matched with the largest scores, the largest first. */
  symbols: { name: string; score: number }[];
}

/** What is shown of mail that came in while no scanner was set up. */
export const SCAN_OFF: ScanResult = {
  verdict: 'not_scanned',
  reason: 'off',
  score: null,
  required_score: null,
  action: null,
  virus: null,
  symbols: [],
};

/** One accepted DATA of one tenant. */
export const inboundRaws = pgTable(
  'inbound_raws',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    mailFrom: text('mail_from').notNull(),
    helo: text('helo').notNull(),
    peer: text('peer').notNull(),
    tls: text('tls'),
    smtputf8: boolean('smtputf8').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** What the scanner said; null when none was set up. */
    scan: jsonb('scan').$type<ScanResult>(),
    receivedAt: timeOfInsert('received_at'),
    /** When it is to be parsed and routed; null once that is done. */
    workDueAt: time('work_due_at'),
    workAttempts: smallint('work_attempts').notNull().default(0),
  },
  (t) => [
    index('inbound_raws_work')
      .on(t.workDueAt)
      .where(sql`work_due_at is not null`),
  ],
);

/** A piece of a raw, in order of `seq`. No foreign key: large mail is written here while it is still coming in. */
export const inboundChunks = pgTable(
  'inbound_chunks',
  { rawId: uuid('raw_id').notNull(), seq: integer('seq').notNull(), bytes: bytea('bytes').notNull() },
  (t) => [primaryKey({ columns: [t.rawId, t.seq] })],
);

/**
 * Mail that is still coming in and has chunks already. The row goes with the commit that accepts the mail, or with the
 * chunks when the client left; a sweep finds those of a process that died.
 */
export const inboundUploads = pgTable('inbound_uploads', {
  rawId: uuid('raw_id').primaryKey(),
  createdAt: timeOfInsert('created_at'),
});

/** An address whose mail people read; `*@domain` is a catch-all. */
export const mailboxes = pgTable(
  'mailboxes',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    address: text('address').notNull(),
    name: text('name'),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [uniqueIndex('mailboxes_address').on(t.tenantId, t.address)],
);

/** One accepted recipient of a raw. */
export const inboundMessages = pgTable(
  'inbound_messages',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    rawId: uuid('raw_id')
      .notNull()
      .references(() => inboundRaws.id, { onDelete: 'cascade' }),
    domainId: uuid('domain_id').notNull(),
    /** `bounce`, `complaint` and `aggregate` are reports to us; `ignored` came to a report address that is not ours. */
    kind: text('kind', { enum: ['mail', 'bounce', 'complaint', 'aggregate', 'ignored'] }).notNull(),
    recipient: text('recipient').notNull(),
    mailboxId: uuid('mailbox_id'),
    /** The sent message that a return path names. */
    aboutMessageId: uuid('about_message_id'),
    /** What became of a report; null for mail. */
    outcome: text('outcome'),
    read: boolean('read').notNull().default(false),
    /** Spam or a virus at a domain that does not just keep such mail. */
    junk: boolean('junk').notNull().default(false),
    receivedAt: timeOfInsert('received_at'),
  },
  (t) => [
    index('inbound_messages_raw').on(t.rawId),
    index('inbound_messages_tenant')
      .on(t.tenantId, t.id)
      .where(sql`kind = 'mail'`),
    index('inbound_messages_mailbox')
      .on(t.mailboxId, t.id)
      .where(sql`mailbox_id is not null`),
  ],
);

/** What the parser read out of a raw; `parse_error` is set when it could not, or not tell the author. */
export const inboundContents = pgTable(
  'inbound_contents',
  {
    rawId: uuid('raw_id')
      .primaryKey()
      .references(() => inboundRaws.id, { onDelete: 'cascade' }),
    tenantId: uuid('tenant_id').notNull(),
    headerFrom: text('header_from'),
    headerTo: text('header_to').array().notNull().default([]),
    headerCc: text('header_cc').array().notNull().default([]),
    subject: text('subject'),
    date: time('date'),
    text: text('text'),
    html: text('html'),
    headers: jsonb('headers').$type<{ name: string; value: string }[]>().notNull().default([]),
    attachments: jsonb('attachments').$type<Record<string, unknown>[]>().notNull().default([]),
    auth: jsonb('auth').$type<{ spf: string; dkim: string; dmarc: string }>().notNull(),
    autoSubmitted: boolean('auto_submitted').notNull().default(false),
    parseError: text('parse_error'),
    search: tsvector('search').notNull(),
  },
  (t) => [index('inbound_contents_search').using('gin', t.search)],
);

/** A piece of a decoded attachment, so that a download never holds one whole. */
export const inboundAttachments = pgTable(
  'inbound_attachments',
  {
    rawId: uuid('raw_id')
      .notNull()
      .references(() => inboundRaws.id, { onDelete: 'cascade' }),
    index: integer('index').notNull(),
    seq: integer('seq').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.rawId, t.index, t.seq] })],
);
