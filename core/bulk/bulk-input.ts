// What callers change in bulk: the action, and which rows: those of a filter (the export's of the same list), or some that
// were chosen.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledText } from '../base/text-input.ts';
import { EXPORT_FILTERS } from '../export/export-input.ts';
import { normalizeEmail } from '../mail/address.ts';
import { MAX_ADDRESS_CHARS } from '../suppression/suppression-input.ts';
import { MAX_CHOSEN, type BulkAction } from './bulk-change.ts';

const chosen = <Key extends z.ZodType<string>>(key: Key) =>
  z
    .array(key)
    .min(1)
    .max(MAX_CHOSEN)
    .transform((given) => [...new Set(given)])
    .optional();
// Checked, and kept as it was given: it is read again by whoever makes the change.
const filter = (schema: z.ZodType) =>
  z
    .record(z.string(), z.unknown())
    .superRefine((given, context) => {
      for (const issue of schema.safeParse(given).error?.issues ?? []) context.addIssue({ ...issue });
    })
    .optional();
const waiting = EXPORT_FILTERS.messages.extend({
  // Others cannot be cancelled, and the walk along those that wait is short.
  status: z.literal('deferred', { error: 'must be deferred: nothing else can be cancelled' }),
});
const contacts = { ids: chosen(idInput('con')), filter: filter(EXPORT_FILTERS.contacts) };
const email = filledText(MAX_ADDRESS_CHARS).transform((text) => normalizeEmail(text));

/** What a caller wants done: `chosen` rows, or those of a `filter`; exactly one of them is given. */
export const bulkWanted = z
  .discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('cancel_messages'),
      ids: chosen(idInput('msg')),
      filter: filter(waiting),
    }),
    z.strictObject({ action: z.literal('add_contacts_to_list'), list_id: idInput('lst'), ...contacts }),
    z.strictObject({ action: z.literal('remove_contacts_from_list'), list_id: idInput('lst'), ...contacts }),
    z.strictObject({ action: z.literal('delete_contacts'), ...contacts }),
    z.strictObject({
      action: z.literal('lift_suppressions'),
      emails: chosen(email),
      filter: filter(EXPORT_FILTERS.suppressions),
    }),
  ])
  .transform((given, context): BulkWanted => {
    const rows = 'emails' in given ? given.emails : 'ids' in given ? given.ids : undefined;
    if ((rows === undefined) === (given.filter === undefined)) {
      const name = given.action === 'lift_suppressions' ? 'emails' : 'ids';
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `is required: give either ${name} or filter`,
      });
      return z.NEVER;
    }
    return {
      action: given.action,
      chosen: rows ?? null,
      filter: given.filter ?? null,
      listId: 'list_id' in given ? given.list_id : null,
    };
  });

/** A request that was checked. */
export interface BulkWanted {
  action: BulkAction;
  chosen: string[] | null;
  filter: Record<string, unknown> | null;
  listId: string | null;
}
