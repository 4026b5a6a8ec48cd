// Kinds of columns that many tables have.

import { customType, integer, timestamp } from 'drizzle-orm/pg-core';

/** Bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** What PostgreSQL's full-text search looks in. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** A moment, to the millisecond that JavaScript knows too. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** The moment of the insert, unless it says another. */
export const timeOfInsert = (name: string) => time(name).notNull().defaultNow();

/** A number that starts at 0 and is added to. */
export const count = (name: string) => integer(name).notNull().default(0);
