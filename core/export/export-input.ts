// What callers export: the kind of a list, and its filters by the names that REST's list has for them.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledText } from '../base/text-input.ts';
import { instant } from '../base/time-input.ts';
import { MAX_TAG_CHARS } from '../contact/contact.ts';
import { FEED_TYPES } from '../message/event-feed.ts';
import { messageFilters } from '../message/list-input.ts';
import { MAX_ADDRESS_CHARS, suppressionReason } from '../suppression/suppression-input.ts';
import { EXPORT_KINDS, type ExportKind } from './export.ts';

const MAX_ACTION_CHARS = 100;
const between = { since: instant.optional(), until: instant.optional() };
const email = filledText(MAX_ADDRESS_CHARS).optional().meta({ description: 'only this address' });

/** The filters of each kind, as JSON. */
export const EXPORT_FILTERS = {
  messages: z.strictObject(messageFilters).meta({ id: 'MessageExportFilter' }),
  contacts: z
    .strictObject({
      email,
      list_id: idInput('lst').optional(),
      tag: filledText(MAX_TAG_CHARS).optional(),
      status: z.enum(['subscribed', 'unsubscribed']).optional(),
    })
    .meta({ id: 'ContactExportFilter' }),
  suppressions: z
    .strictObject({ email, reason: suppressionReason.optional(), ...between })
    .meta({ id: 'SuppressionExportFilter' }),
  events: z
    .strictObject({
      types: z.array(z.enum(FEED_TYPES)).min(1).max(FEED_TYPES.length).optional(),
      message_id: idInput('msg').optional(),
      ...between,
    })
    .meta({ id: 'EventExportFilter' }),
  audit_log: z
    .strictObject({
      action: filledText(MAX_ACTION_CHARS)
        .optional()
        .meta({ description: 'an action, or a kind of actions' }),
      actor: filledText(MAX_ADDRESS_CHARS)
        .optional()
        .meta({ description: 'address of a person, id of a key, or name of a job' }),
      ...between,
    })
    .meta({ id: 'AuditLogExportFilter' }),
} as const;

// The filter is checked, and stays as it was given: it is read again by whoever writes the file.
const wanted = z
  .strictObject({ kind: z.enum(EXPORT_KINDS), filter: z.record(z.string(), z.unknown()).default({}) })
  .superRefine(({ kind, filter }, context) => {
    const { error } = EXPORT_FILTERS[kind].safeParse(filter);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, path: ['filter', ...issue.path] });
  });

const NAMES: Record<ExportKind, string> = {
  messages: 'MessageExport',
  contacts: 'ContactExport',
  suppressions: 'SuppressionExport',
  events: 'EventExport',
  audit_log: 'AuditLogExport',
};
const documented = (kind: ExportKind) =>
  z
    .strictObject({ kind: z.literal(kind), filter: EXPORT_FILTERS[kind].optional() })
    .meta({ id: `${NAMES[kind]}Request` });

/** The body of a request. */
export const exportWanted = z
  .unknown()
  .transform((given, context): z.output<typeof wanted> => {
    const checked = wanted.safeParse(given);
    if (checked.success) return checked.data;
    for (const issue of checked.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  })
  .meta({
    documentedAs: z
      .union([
        documented('messages'),
        documented('contacts'),
        documented('suppressions'),
        documented('events'),
        documented('audit_log'),
      ])
      .meta({ id: 'ExportRequest' }),
  });
