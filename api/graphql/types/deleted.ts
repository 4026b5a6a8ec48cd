// What is answered when something was deleted.

import type { Builder } from '../builder.ts';

/** Adds DeletePayload. */
export function addDeletePayload(builder: Builder) {
  return builder.objectRef<{ id: string }>('DeletePayload').implement({
    description: 'The deleted object',
    fields: (t) => ({ id: t.exposeID('id') }),
  });
}

/** What deleting mutations answer with. */
export type DeletePayload = ReturnType<typeof addDeletePayload>;
