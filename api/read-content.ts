// What a message says, for every API that shows it. Each read is in the audit log before it is answered.

import type { Actor } from '../core/audit/actor.ts';
import { AppError } from '../core/base/errors.ts';
import { toId } from '../core/base/ids.ts';
import { readAttachment, type AttachmentFile } from '../core/message/read-attachment.ts';
import type { ReadableContent } from '../core/message/read-content.ts';
import type { ApiDeps } from './deps.ts';

/** A message of a tenant, and who reads it. */
export interface ContentRead {
  by: Actor;
  tenantId: string;
  /** UUID. */
  id: string;
}

/** Reads it (core/message/read-content.ts). Throws `unavailable` too when the read cannot be noted. */
export async function readContent(deps: ApiDeps, read: ContentRead): Promise<ReadableContent> {
  const content = await deps.readComposed(read.tenantId, read.id);
  await note(deps, read);
  return content;
}

/** The same, or null once the content is not kept any more: for callers to whom the message is still there. */
export async function readKeptContent(deps: ApiDeps, read: ContentRead): Promise<ReadableContent | null> {
  try {
    return await readContent(deps, read);
  } catch (error) {
    if (error instanceof AppError && error.code === 'gone') return null;
    throw error;
  }
}

/** The attachment at a place in the list of the content. Throws as `readContent`. */
export async function readContentFile(
  deps: ApiDeps,
  read: ContentRead,
  index: number,
): Promise<AttachmentFile> {
  const file = await readAttachment(deps.db.pool, read.tenantId, read.id, index);
  await note(deps, read);
  return file;
}

/** Notes that somebody reads what a received message says. Throws `unavailable` when it cannot be noted. */
export function noteInboundRead({ db, noteRead }: ApiDeps, { by, tenantId, id }: ContentRead): Promise<void> {
  return noteRead(db.pool, by, {
    tenantId,
    action: 'inbound_message.content_read',
    subject: toId('inm', id),
  });
}

function note({ db, noteRead }: ApiDeps, { by, tenantId, id }: ContentRead): Promise<void> {
  return noteRead(db.pool, by, { tenantId, action: 'message.content_read', subject: toId('msg', id) });
}
