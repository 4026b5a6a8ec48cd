// Downloads of inbound mail: the raw message as it came, and its attachments.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { findRawOf, readAttachment, selectInbound } from '../../../core/inbound/message-store.ts';
import { readChunks } from '../../../core/inbound/raw-store.ts';
import { noteInboundRead } from '../../read-content.ts';
import { FileAnswer } from '../file-answer.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Inbound mail';
const file = z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' });

/** GET /mail/messages/{id}/raw */
export const getRawMessage = defineRoute(
  {
    operationId: 'getInboundMessageSource',
    method: 'GET',
    path: '/mail/messages/{id}/raw',
    access: 'mail:read',
    group: GROUP,
    summary: 'Download the raw message',
    description: 'The received message, byte for byte, as `message/rfc822`.',
    params: z.object({ id: idInput('inm') }),
    response: file,
    file: 'message/rfc822',
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id } }) => {
    const { pool } = deps.db;
    const raw = await findRawOf(pool, tenantId, id);
    if (!raw) throw notFound('message');
    await noteInboundRead(deps, { by, tenantId, id });
    return {
      data: new FileAnswer({
        contentType: 'message/rfc822',
        filename: `${toId('inm', id)}.eml`,
        length: raw.sizeBytes,
        pieces: readChunks(pool, tenantId, raw.rawId),
      }),
    };
  },
);

/** GET /mail/messages/{id}/attachments/{index} */
export const getAttachment = defineRoute(
  {
    operationId: 'getInboundAttachment',
    method: 'GET',
    path: '/mail/messages/{id}/attachments/{index}',
    access: 'mail:read',
    group: GROUP,
    summary: 'Download an attachment',
    params: z.object({ id: idInput('inm'), index: z.coerce.number().int().min(0).max(100_000) }),
    response: file,
    file: '*/*',
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id, index } }) => {
    const { pool } = deps.db;
    const [raw, message] = await Promise.all([
      findRawOf(pool, tenantId, id),
      selectInbound(pool, tenantId, id),
    ]);
    const attachment = message?.attachments.find((one) => one.index === index);
    if (!raw || !attachment) throw notFound('attachment');
    await noteInboundRead(deps, { by, tenantId, id });
    return {
      data: new FileAnswer({
        contentType: attachment.content_type,
        filename: attachment.filename ?? `attachment-${index}`,
        length: attachment.size_bytes,
        pieces: readAttachment(pool, tenantId, raw.rawId, index),
      }),
    };
  },
);
