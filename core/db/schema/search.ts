// The index of messages for search: core/message/search/segments.ts says how it is made and used.
//
// Words: a *segment* is a run of a tenant's messages, in the order of their ids, that is indexed together. A *term* is
// what is looked for: three characters of a recipient, a word of a subject, a tag, a domain, a campaign.
//
// Both tables are written once, by a loop of the scheduler, and partitioned by week like messages: retention drops them
// with their messages.

import { customType, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';

import { bytea } from './columns.ts';

// Sorted by bytes: terms are compared for equality only.
const term = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** A run of messages: all of the tenant with an id above `after_id`, up to `id`. */
export const messageSegments = pgTable(
  'message_segments',
  {
    /** Of its last message. */
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    afterId: uuid('after_id').notNull(),
    /** The ids of its messages in order, 16 bytes each: the first is position 0. */
    ids: bytea('ids').notNull(),
  },
  (t) => [index('message_segments_tenant').on(t.tenantId, t.id)],
);

/** Where in a segment a term occurs. */
export const messageTerms = pgTable(
  'message_terms',
  {
    tenantId: uuid('tenant_id').notNull(),
    term: term('term').notNull(),
    segmentId: uuid('segment_id').notNull(),
    /** core/message/search/positions.ts reads it. */
    positions: bytea('positions').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.term, t.segmentId] })],
);
