// /mail/mailboxes: addresses of owned domains whose mail people read.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { mailboxChange, newMailbox } from '../../../core/inbound/mailbox-input.ts';
import { listMailboxes, type Mailbox } from '../../../core/inbound/mailbox-store.ts';
import {
  createMailbox,
  deleteMailbox,
  getMailbox as get,
  renameMailbox,
} from '../../../core/inbound/mailboxes.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Mailboxes';
const params = z.object({ id: idInput('mbx') });

const mailboxView = z
  .object({
    id: idView('mbx'),
    address: z
      .string()
      .meta({ description: 'an address, or `*@domain` for all addresses without their own mailbox' }),
    name: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Mailbox', description: 'An address whose mail is grouped' });

/** POST /mail/mailboxes */
export const postMailbox = defineRoute(
  {
    operationId: 'createMailbox',
    method: 'POST',
    path: '/mail/mailboxes',
    access: 'mail:write',
    group: GROUP,
    summary: 'Create a mailbox',
    description: 'Its domain must be a verified domain of the tenant. Mail received earlier is not moved.',
    body: jsonBody(newMailbox),
    response: mailboxView,
    status: 201,
    example: { address: 'support@example.com', name: 'Support' },
  },
  async ({ deps, caller, by, body }) => ({
    data: toView(await createMailbox(deps, by, caller.tenantId, body)),
  }),
);

/** GET /mail/mailboxes */
export const getMailboxes = defineRoute(
  {
    operationId: 'listMailboxes',
    method: 'GET',
    path: '/mail/mailboxes',
    access: 'mail:read',
    group: GROUP,
    summary: 'List mailboxes',
    query: z.strictObject(pageQuery),
    response: pageOf(mailboxView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listMailboxes(deps.db.pool, caller.tenantId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toView) };
  },
);

/** GET /mail/mailboxes/{id} */
export const getMailbox = defineRoute(
  {
    operationId: 'getMailbox',
    method: 'GET',
    path: '/mail/mailboxes/{id}',
    access: 'mail:read',
    group: GROUP,
    summary: 'Read a mailbox',
    params,
    response: mailboxView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toView(await get(deps.db, caller.tenantId, id)),
  }),
);

/** PATCH /mail/mailboxes/{id} */
export const patchMailbox = defineRoute(
  {
    operationId: 'changeMailbox',
    method: 'PATCH',
    path: '/mail/mailboxes/{id}',
    access: 'mail:write',
    group: GROUP,
    summary: 'Rename a mailbox',
    params,
    body: jsonBody(mailboxChange),
    response: mailboxView,
    status: 200,
    example: { name: 'Help desk' },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toView(await renameMailbox(deps, by, caller.tenantId, id, body)),
  }),
);

/** DELETE /mail/mailboxes/{id} */
export const removeMailbox = defineRoute(
  {
    operationId: 'deleteMailbox',
    method: 'DELETE',
    path: '/mail/mailboxes/{id}',
    access: 'mail:write',
    group: GROUP,
    summary: 'Delete a mailbox',
    description: 'Its messages are kept, without a mailbox.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await deleteMailbox(deps, by, caller.tenantId, id);
    return { data: { id: toId('mbx', id), deleted: true as const } };
  },
);

function toView(mailbox: Mailbox): z.input<typeof mailboxView> {
  return {
    id: toId('mbx', mailbox.id),
    address: mailbox.address,
    name: mailbox.name,
    created_at: mailbox.createdAt.toISOString(),
  };
}
