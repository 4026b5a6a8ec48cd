// The head of a column by which a list can be ordered.

import { ArrowDown, ArrowUp, ChevronsUpDown } from '../gen/icons.ts';
import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

/** The order of the rows, and what sets another. */
export interface TableSort {
  value: string;
  onChange: (value: string) => void;
}

/** The orders that a column's head sets, by their direction. */
export interface ColumnSorts {
  ascending?: string;
  descending?: string;
}

/** For `aria-sort` of the head; undefined for one that orders nothing. */
export function sortState(
  sorts: ColumnSorts | undefined,
  sort: TableSort | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (!sorts || !sort) return undefined;
  if (sort.value === sorts.ascending) return 'ascending';
  return sort.value === sorts.descending ? 'descending' : 'none';
}

/** The button in the head: sets the column's order, then the other way round; where there is none, the list's own. */
export function SortButton({
  label,
  sorts,
  sort,
}: {
  label: string;
  sorts: ColumnSorts;
  sort: TableSort;
}): ReactNode {
  const state = sortState(sorts, sort);
  const { ascending = '', descending = '' } = sorts;
  const next =
    state === 'ascending' ? descending : state === 'descending' ? ascending : descending || ascending;
  const Icon = state === 'ascending' ? ArrowUp : state === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={() => sort.onChange(next)}
      className={cx(
        'hover:text-ink -my-1 inline-flex min-h-6 cursor-pointer items-center gap-1',
        state !== 'none' && 'text-ink',
      )}
    >
      {label}
      <Icon size={13} aria-hidden="true" />
    </button>
  );
}
