// What a message said: its parts as JSON, and its source as a download.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { readContent, readContentFile } from '../../read-content.ts';
import { FileAnswer } from '../file-answer.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Messages';

const contentView = z
  .object({
    subject: z.string(),
    html: z.string().nullable().meta({ description: 'without the open pixel, with the links as written' }),
    text: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    attachments: z.array(z.object({ filename: z.string(), content_type: z.string(), size_bytes: z.int() })),
  })
  .meta({ id: 'MessageContent', description: 'What a message says' });

/** GET /transactional/{id}/content */
export const getMessageContent = defineRoute(
  {
    operationId: 'getMessageContent',
    method: 'GET',
    path: '/transactional/{id}/content',
    access: 'transactional:read',
    group: GROUP,
    summary: 'Read what a message says',
    description:
      'Rendered as it is sent, with the version of the template and the variables that it was sent with. The HTML is ' +
      'untrusted: it is what its author wrote. 410 `gone` once the content is not kept any more, ' +
      'and for mail of this service itself, such as invitations, which only its recipient reads.',
    params: z.object({ id: idInput('msg') }),
    response: contentView,
    status: 200,
    errors: ['gone'],
    quotaHeaders: true,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => {
    const content = (await readContent(deps, { by, tenantId, id })).parts();
    return {
      data: {
        subject: content.subject,
        html: content.html || null,
        text: content.text || null,
        headers: content.headers,
        attachments: content.attachments.map(({ filename, contentType, sizeBytes }) => ({
          filename,
          content_type: contentType,
          size_bytes: sizeBytes,
        })),
      },
    };
  },
);

/** GET /transactional/{id}/raw */
export const getMessageSource = defineRoute(
  {
    operationId: 'getMessageSource',
    method: 'GET',
    path: '/transactional/{id}/raw',
    access: 'transactional:read',
    group: GROUP,
    summary: 'Download the source of a message',
    description:
      'As `message/rfc822`, the bytes on the wire, with the signature of the last attempt; of a domain whose DKIM keys ' +
      'have changed since, with one of its present keys. 410 `gone` once the content is not kept any more, ' +
      'and for mail of this service itself, such as invitations, which only its recipient reads.',
    params: z.object({ id: idInput('msg') }),
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'message/rfc822',
    status: 200,
    errors: ['gone'],
    quotaHeaders: true,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => {
    const { source } = await readContent(deps, { by, tenantId, id });
    return {
      data: new FileAnswer({
        contentType: 'message/rfc822',
        filename: `${toId('msg', id)}.eml`,
        length: source.length,
        pieces: once(source),
      }),
    };
  },
);

/** GET /transactional/{id}/attachments/{index} */
export const getMessageAttachment = defineRoute(
  {
    operationId: 'getMessageAttachment',
    method: 'GET',
    path: '/transactional/{id}/attachments/{index}',
    access: 'transactional:read',
    group: GROUP,
    summary: 'Download an attachment of a message',
    description:
      'By its place in `attachments` of the content, from 0. 410 `gone` once the content is not kept any more, and for mail of ' +
      'this service itself.',
    params: z.object({ id: idInput('msg'), index: z.coerce.number().int().min(0).max(100_000) }),
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: '*/*',
    status: 200,
    errors: ['gone'],
    quotaHeaders: true,
  },
  async ({ deps, by, caller: { tenantId }, params: { id, index } }) => {
    const { filename, contentType, content } = await readContentFile(deps, { by, tenantId, id }, index);
    return {
      data: new FileAnswer({ contentType, filename, length: content.length, pieces: once(content) }),
    };
  },
);

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
