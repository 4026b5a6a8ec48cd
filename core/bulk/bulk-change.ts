// What a bulk change is: one thing done to many rows of a list, in the background.

import type { bulkChanges } from '../db/schema/bulk.ts';

type Row = typeof bulkChanges.$inferSelect;

/** What can be done to many rows. */
export const BULK_ACTIONS = [
  'cancel_messages',
  'add_contacts_to_list',
  'remove_contacts_from_list',
  'delete_contacts',
  'lift_suppressions',
] as const;

/** One of these. */
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** What the audit log calls them. */
export const BULK_NOUNS: Readonly<Record<BulkAction, string>> = {
  cancel_messages: 'cancellation of messages',
  add_contacts_to_list: 'adding of contacts to a list',
  remove_contacts_from_list: 'removal of contacts from a list',
  delete_contacts: 'deletion of contacts',
  lift_suppressions: 'removal of suppressions',
};

/** Where one stands. `failed`: its list was deleted, or its filter is one of an older version. */
export const BULK_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;

/**
 * Why a row was left as it is: it is not there any more; a message is being sent right now, or does not wait any more; a
 * contact is on the list already, or is not on it; an address complained or unsubscribed, which is lifted one at a time
 * only, with the warning of its own.
 */
export const BULK_REFUSALS = [
  'gone',
  'being_sent',
  'not_waiting',
  'already_on_list',
  'not_on_list',
  'complaint',
  'unsubscribe',
] as const;

/** One of these. */
export type BulkRefusal = (typeof BULK_REFUSALS)[number];

/** How many rows were left as they are, by why; what is 0 is left out. */
export type Refused = Partial<Record<BulkRefusal, number>>;

/** A bulk change as its tenant sees it. */
export type BulkChange = Pick<Row, 'id' | 'action' | 'status' | 'done' | 'createdAt' | 'finishedAt'> & {
  refused: Refused;
};

/** A bulk change in the hands of one scheduler: it changes only while `claimVersion` is still the row's. */
export type BulkClaim = Pick<
  Row,
  | 'id'
  | 'tenantId'
  | 'action'
  | 'filter'
  | 'chosen'
  | 'listId'
  | 'actor'
  | 'cursor'
  | 'done'
  | 'claimVersion'
  | 'createdAt'
> & { refused: Refused };

/** Rows that are chosen one by one; more go by a filter. */
export const MAX_CHOSEN = 1_000;

/** Bulk changes of a tenant under way at once. */
export const MAX_OPEN_BULK_CHANGES = 5;

/** Days for which is kept how one ended. */
export const BULK_KEPT_DAYS = 7;
