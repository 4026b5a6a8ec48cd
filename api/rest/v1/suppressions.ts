// /suppressions: addresses that get no mail of a tenant, or no marketing mail.

import { z } from 'zod';

import { idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  MAX_ADDRESS_CHARS,
  newSuppressions,
  suppressionReason,
  suppressionStream,
} from '../../../core/suppression/suppression-input.ts';
import type { Suppression } from '../../../core/suppression/suppression-store.ts';
import { listSuppressions as list, suppress, unsuppress } from '../../../core/suppression/suppressions.ts';
import { decodeCursor, EMAIL_KEY, keyTime, TIME_KEY, timeKey } from '../../cursor.ts';
import { pageOf, pageQueryBy, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Suppressions';
const CURSOR = [TIME_KEY, EMAIL_KEY];

/** A suppression in the contract's words. */
const suppressionView = z
  .object({
    email: z.string(),
    reason: suppressionReason,
    stream: suppressionStream,
    source_message_id: idView('msg').nullable().meta({ description: 'the message that led to it' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Suppression', description: 'One address of the suppression list' });

const added = z
  .object({
    items: z.array(suppressionView),
    added: z.int().meta({ description: 'number of new suppressions' }),
  })
  .meta({ id: 'AddedSuppressions', description: 'The entries of several addresses' });

/** POST /suppressions */
export const addSuppression = defineRoute(
  {
    operationId: 'addSuppressions',
    method: 'POST',
    path: '/suppressions',
    access: 'suppressions:write',
    group: GROUP,
    summary: 'Suppress one address or many',
    description:
      'Takes effect with the next send. An address has one entry. An entry with the stream `all` replaces one with ' +
      '`bulk`, never the reverse. Within a stream, the more serious reason stays (most serious first: complaint, ' +
      'unsubscribe, bounce, manual). Returns the entry, or for `emails` all entries in order.',
    body: jsonBody(newSuppressions),
    response: z.union([suppressionView, added]),
    status: 201,
    example: { email: 'ann@example.net' },
  },
  async ({ deps, caller, by, body }) => {
    const emails = body.emails ?? [body.email as string];
    const made = await suppress(deps, by, caller.tenantId, emails, body.reason, body.stream);
    const items = made.entries.map(toSuppressionView);
    return { data: body.emails ? { items, added: made.added } : items[0]! };
  },
);

/** GET /suppressions */
export const listSuppressions = defineRoute(
  {
    operationId: 'listSuppressions',
    method: 'GET',
    path: '/suppressions',
    access: 'suppressions:read',
    group: GROUP,
    summary: 'List suppressions',
    query: z.strictObject({
      ...pageQueryBy(CURSOR),
      reason: suppressionReason.optional(),
      email: z.string().max(MAX_ADDRESS_CHARS).optional().meta({ description: 'only this address' }),
    }),
    response: pageOf(suppressionView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const rows = await list(deps.db, caller.tenantId, {
      limit: query.limit + 1,
      before: readCursor(query.after),
      reasons: query.reason && [query.reason],
      email: query.email,
    });
    const key = (row: Suppression) => [timeKey(row.createdAt), row.email];
    return { data: toPage(rows, query.limit, key, toSuppressionView) };
  },
);

/** DELETE /suppressions/{email} */
export const removeSuppression = defineRoute(
  {
    operationId: 'removeSuppression',
    method: 'DELETE',
    path: '/suppressions/{email}',
    access: 'suppressions:write',
    group: GROUP,
    summary: 'Remove a suppression',
    description: 'Allows all mail to the address again. A contact who unsubscribed stays unsubscribed.',
    params: z.object({
      email: z.string().max(MAX_ADDRESS_CHARS).meta({ description: 'the address' }),
    }),
    response: z.object({ id: z.string(), email: z.string(), deleted: z.literal(true) }),
    status: 200,
  },
  async ({ deps, caller, by, params }) => {
    const email = await unsuppress(deps, by, caller.tenantId, params.email);
    return { data: { id: email, email, deleted: true as const } };
  },
);

function readCursor(after: string | undefined): { createdAt: Date; email: string } | undefined {
  if (after === undefined) return undefined;
  const [time = '', email = ''] = decodeCursor(after, CURSOR);
  return { createdAt: keyTime(time), email };
}

function toSuppressionView(entry: Suppression): z.input<typeof suppressionView> {
  return {
    email: entry.email,
    reason: entry.reason,
    stream: entry.stream,
    source_message_id: entry.sourceMessageId === null ? null : toId('msg', entry.sourceMessageId),
    created_at: entry.createdAt.toISOString(),
  };
}
