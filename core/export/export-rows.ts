// What stands in an exported file: the columns of each kind, and its rows page by page, newest first. The columns of
// contacts are those that an import reads.

import { findActors, readActorEmails } from '../audit/actor-emails.ts';
import { selectAudit } from '../audit/audit-store.ts';
import type { CsvCell } from '../base/csv.ts';
import { toId, type IdPrefix } from '../base/ids.ts';
import { selectListsById } from '../contact/list-store.ts';
import type { Queryable } from '../db/pool.ts';
import type { Database } from '../db/pool.ts';
import { FEED_TYPES, listEvents } from '../message/event-feed.ts';
import { EXPORT_FILTERS } from './export-input.ts';
import type { ExportKind } from './export.ts';
import { LIST_PAGES } from './list-pages.ts';

/** Some rows of a list, and the key of the last of them; null when there are none. */
interface ExportPage {
  rows: CsvCell[][];
  cursor: string[] | null;
}

interface Kind {
  columns: readonly string[];
  /** Rows that come after a key. The filter is as the caller gave it. Throws ZodError for one that is no such filter. */
  read(
    db: Database,
    tenantId: string,
    filter: Record<string, unknown>,
    after: string[] | null,
    limit: number,
  ): Promise<ExportPage>;
}

/** Every kind of export. */
export const EXPORT_ROWS: Readonly<Record<ExportKind, Kind>> = {
  messages: {
    columns: [
      'id',
      'created_at',
      'from',
      'to',
      'subject',
      'status',
      'reason',
      'defer_reason',
      'deferred_until',
      'domain',
      'campaign_id',
      'template_id',
      'tags',
    ],
    async read(db, tenantId, filter, after, limit) {
      return pageOf(await LIST_PAGES.messages(db, tenantId, filter, { after, limit }), (one) => [
        toId('msg', one.id),
        one.createdAt,
        one.from,
        one.to,
        one.subject,
        one.status,
        one.reason,
        one.deferReason,
        one.deferredUntil,
        one.domain,
        idOrNull('cmp', one.campaignId),
        idOrNull('tpl', one.templateId),
        one.tags.map(({ name, value }) => `${name}=${value}`).join('|'),
      ]);
    },
  },
  contacts: {
    columns: [
      'email',
      'first_name',
      'last_name',
      'status',
      'tags',
      'lists',
      'attributes',
      'created_at',
      'id',
    ],
    async read(db, tenantId, filter, after, limit) {
      const found = await LIST_PAGES.contacts(db, tenantId, filter, { after, limit });
      const names = await listNames(db.pool, tenantId, [...new Set(found.flatMap(({ row }) => row.lists))]);
      return pageOf(found, (one) => [
        one.email,
        one.firstName,
        one.lastName,
        one.status,
        one.tags.join('|'),
        one.lists.flatMap((id) => names.get(id) ?? []).join('|'),
        Object.keys(one.attributes).length === 0 ? null : JSON.stringify(one.attributes),
        one.createdAt,
        toId('con', one.id),
      ]);
    },
  },
  suppressions: {
    columns: ['email', 'reason', 'source_message_id', 'created_at', 'stream'],
    async read(db, tenantId, filter, after, limit) {
      return pageOf(await LIST_PAGES.suppressions(db, tenantId, filter, { after, limit }), (one) => [
        one.email,
        one.reason,
        idOrNull('msg', one.sourceMessageId),
        one.createdAt,
        one.stream,
      ]);
    },
  },
  events: {
    columns: ['id', 'occurred_at', 'type', 'recipient', 'domain', 'message_id', 'campaign_id', 'data'],
    async read(db, tenantId, given, after, limit) {
      const { types = FEED_TYPES, message_id, ...between } = EXPORT_FILTERS.events.parse(given);
      const query = { types, messageId: message_id, ...between, before: after?.[0], limit };
      const found = await listEvents(db, tenantId, query);
      return pageOf(
        found.map((row) => ({ row, cursor: [row.id] })),
        (one) => [
          toId('evt', one.id),
          one.occurredAt,
          one.type,
          one.recipient,
          one.domain,
          toId('msg', one.messageId),
          idOrNull('cmp', one.campaignId),
          JSON.stringify(one.data),
        ],
      );
    },
  },
  audit_log: {
    columns: ['id', 'at', 'actor', 'actor_email', 'action', 'subject', 'detail', 'ip'],
    async read({ pool }, tenantId, given, after, limit) {
      const { action, actor, since, until } = EXPORT_FILTERS.audit_log.parse(given);
      const actors = actor === undefined ? undefined : await findActors(pool, tenantId, actor);
      const page = { before: after?.[0], limit };
      const found = await selectAudit(pool, tenantId, page, { action, actors, since, until });
      const emails = await readActorEmails(
        pool,
        tenantId,
        found.map((row) => row.actor),
      );
      return pageOf(
        found.map((row) => ({ row, cursor: [row.id] })),
        (one) => [
          toId('aud', one.id),
          one.at,
          one.actor,
          emails.get(one.actor),
          one.action,
          one.subject,
          JSON.stringify(one.detail),
          one.ip,
        ],
      );
    },
  },
};

function pageOf<Row>(found: { row: Row; cursor: string[] }[], cellsOf: (row: Row) => CsvCell[]): ExportPage {
  return { rows: found.map(({ row }) => cellsOf(row)), cursor: found.at(-1)?.cursor ?? null };
}

function idOrNull(prefix: IdPrefix, id: string | null): string | null {
  return id === null ? null : toId(prefix, id);
}

async function listNames(db: Queryable, tenantId: string, ids: string[]): Promise<Map<string, string>> {
  const lists = ids.length === 0 ? [] : await selectListsById(db, tenantId, ids);
  return new Map(lists.map(({ id, name }) => [id, name]));
}
