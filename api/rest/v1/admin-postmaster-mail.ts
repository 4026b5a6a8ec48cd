// /admin/postmaster-mail: mail to postmaster and abuse addresses of the service, for super-admins.

import { Readable } from 'node:stream';
import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  listPostmasterMail,
  readPostmasterMail,
  type PostmasterMail,
} from '../../../core/operations/postmaster-store.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { FileAnswer } from '../file-answer.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Administration';
const PATH = '/admin/postmaster-mail';

const view = z
  .object({
    id: idView('inm'),
    recipient: z.string(),
    envelope_from: z.string(),
    peer: z.string(),
    subject: z.string(),
    size_bytes: z.int(),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'PostmasterMail', description: 'A message to a postmaster or abuse address of the service' });

/** GET /admin/postmaster-mail */
export const getPostmasterMails = defineRoute(
  {
    operationId: 'listPostmasterMail',
    method: 'GET',
    path: PATH,
    access: 'admin',
    group: GROUP,
    summary: 'List mail to postmaster',
    description:
      'Mail to `postmaster`, and to postmaster and abuse at return-path domains and at the host name of inbound. ' +
      'The newest 1,000 are kept, 20 a day from one network.',
    query: z.strictObject(pageQuery),
    response: pageOf(view),
    status: 200,
  },
  async ({ deps, query }) => {
    const [before] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listPostmasterMail(deps.home.pool, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toView) };
  },
);

/** GET /admin/postmaster-mail/{id}/raw */
export const getPostmasterMail = defineRoute(
  {
    operationId: 'getPostmasterMailSource',
    method: 'GET',
    path: `${PATH}/{id}/raw`,
    access: 'admin',
    group: GROUP,
    summary: 'Download a message to postmaster',
    params: z.object({ id: idInput('inm') }),
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'message/rfc822',
    status: 200,
  },
  async ({ deps: { home, noteRead }, by, params: { id } }) => {
    const raw = await readPostmasterMail(home.pool, id);
    if (!raw) throw notFound('message');
    const subject = toId('inm', id);
    await noteRead(home.pool, by, { tenantId: null, action: 'inbound_message.content_read', subject });
    return {
      data: new FileAnswer({
        contentType: 'message/rfc822',
        filename: `${subject}.eml`,
        length: raw.length,
        pieces: Readable.from([raw]),
      }),
    };
  },
);

function toView(mail: PostmasterMail): z.input<typeof view> {
  return {
    id: toId('inm', mail.id),
    recipient: mail.recipient,
    envelope_from: mail.mailFrom,
    peer: mail.peer,
    subject: mail.subject,
    size_bytes: mail.sizeBytes,
    received_at: mail.receivedAt.toISOString(),
  };
}
