// The addresses that mail leaves from (EGRESS_POOLS): the warm-up of new ones, and who refuses which for a while. They belong to
// the service, to no tenant. An address that was taken out of the setting keeps its rows.

import { date, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { count, time, timeOfInsert } from './columns.ts';

/** A new address and its tier (core/warmup/tiers.ts). Made when it sends for the first time. */
export const sources = pgTable('sources', {
  address: text('address').primaryKey(),
  tier: smallint('tier').notNull().default(0),
  createdAt: timeOfInsert('created_at'),
});

/**
 * One UTC day of a new address. `used` is what senders have taken of the cap, whether they sent it or not: never more than `cap`
 * when it was taken.
 */
export const sourceDays = pgTable(
  'source_days',
  {
    address: text('address').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    cap: integer('cap').notNull(),
    used: count('used'),
    /** What the ramp made of the day, in words; null until then: it is decided once. */
    decision: text('decision'),
  },
  (t) => [primaryKey({ columns: [t.address, t.day] })],
);

/** A mailbox provider that refused an address: nothing goes there from it until then. */
export const sourceRests = pgTable(
  'source_rests',
  {
    address: text('address').notNull(),
    provider: text('provider').notNull(),
    until: time('until').notNull(),
    /** The refusal, without what differs between replies. */
    reply: text('reply').notNull(),
    at: timeOfInsert('at'),
  },
  (t) => [primaryKey({ columns: [t.address, t.provider] })],
);
