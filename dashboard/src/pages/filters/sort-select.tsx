// The orders of a list as a choice, for phones, where a list has no head to press.

import type { ReactNode } from 'react';

import type { TableSort } from '../../ui/sort-header.tsx';
import { Select } from '../../ui/text-input.tsx';

/** Shown on phones only. */
export function SortSelect({
  sort: { value, onChange },
  options,
}: {
  sort: TableSort;
  options: readonly { value: string; label: string }[];
}): ReactNode {
  return (
    <div className="w-full sm:hidden">
      <Select
        aria-label="Order"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={options}
      />
    </div>
  );
}

/** The words of the orders by age. */
export const AGE_ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;
