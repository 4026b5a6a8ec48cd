// What a page says about its list to what changes many of its rows.

import type { BulkStateFragment } from '../../gen/pages/bulk/bulk.ts';
import type { Noun } from './bulk-words.ts';
import type { IconType } from '../../ui/make-icon.ts';

/** One thing that can be done with what is selected. */
export interface BulkOffer {
  action: BulkStateFragment['action'];
  /** On its button. */
  label: string;
  icon: IconType;
  /** Above its dialog, with the rows in words: "Delete 3 contacts". */
  title: (what: string) => string;
  /** What happens to the rows, after it was said how many were done: "deleted". */
  done: string;
  /** What to know before. */
  text: string;
  /** It cannot be undone; many rows ask for a typed word. */
  danger?: boolean;
  /** The lists to choose from, for what needs one. */
  lists?: readonly { value: string; label: string }[];
}

/** What a list says of itself to those who change many of its rows. */
export interface BulkList {
  noun: Noun;
  /** How many rows match the filters, when that is known. */
  total: { count: number; isExact: boolean } | null | undefined;
  /** There are rows that are not loaded. */
  hasMore: boolean;
  /** The filters by their names in REST. */
  filter: Record<string, unknown>;
  /** How its rows are named to the api. */
  keys: 'ids' | 'emails';
}
