// What lists share: how many rows they have, and their orders.

import { MAX_COUNTED, type ListCount } from '../../../core/base/list-count.ts';
import type { Builder } from '../builder.ts';

/** What a count costs in GraphQL: about as much as a page of 20. */
export const COUNT_COST = 20;

/** What lists refer to. */
export type ListCountTypes = ReturnType<typeof addListCount>;

/** Adds ListCount and AgeSort. */
export function addListCount(builder: Builder) {
  const listCount = builder.objectRef<ListCount>('ListCount').implement({
    description: 'How many rows a list has',
    fields: (t) => ({
      count: t.exposeInt('count', { description: `At most ${MAX_COUNTED}` }),
      isExact: t.exposeBoolean('isExact', { description: 'False where there are more than `count`' }),
    }),
  });
  const ageSort = builder.enumType('AgeSort', {
    description: 'The order of a list',
    values: ['newest', 'oldest'] as const,
  });
  return { listCount, ageSort };
}
