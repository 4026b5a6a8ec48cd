// The order of a list, kept in the URL as `sort` beside its filters.

import type { TableSort } from '../../ui/sort-header.tsx';
import { oneOf, useFilters } from './use-filters.ts';

/** The order for a DataTable, and the variable of the query: nothing for the first of `allowed`, which the api gives anyway. */
export function useSort<Value extends string>(
  allowed: readonly [Value, ...Value[]],
): { sort: TableSort; variable: { sort?: Value } } {
  const { values, set } = useFilters(['sort']);
  const value = oneOf(values.sort, allowed) ?? allowed[0];
  const isFirst = value === allowed[0];
  return {
    sort: { value, onChange: (next) => set('sort', next === allowed[0] ? '' : next) },
    variable: isFirst ? {} : { sort: value },
  };
}
