// One attachment of a message, as it was sent.

import type { Queryable } from '../db/pool.ts';
import { notFound } from '../base/errors.ts';
import { describeAttachment } from '../mail/compose/attachments.ts';
import { readFile } from '../mail/raw/read-words.ts';
import { readRaw } from '../mail/raw/read-raw.ts';
import { readKept } from './kept-message.ts';

/** A file with its octets. */
export interface AttachmentFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** The attachment at a place in the list of `content`. Throws not_found, and gone as the content does. */
export async function readAttachment(
  db: Queryable,
  tenantId: string,
  id: string,
  index: number,
): Promise<AttachmentFile> {
  const { stored } = await readKept(db, tenantId, id);
  const file = stored.raw.length > 0 ? rawFile(Buffer.from(stored.raw), index) : composedFile(stored, index);
  if (!file) throw notFound('attachment');
  return file;
}

function composedFile(
  { attachments }: Awaited<ReturnType<typeof readKept>>['stored'],
  index: number,
): AttachmentFile | null {
  const one = attachments[index];
  return one === undefined
    ? null
    : { ...describeAttachment(one.filename, one.contentType), content: Buffer.from(one.content) };
}

function rawFile(raw: Buffer, index: number): AttachmentFile | null {
  const read = readRaw(raw);
  return read.ok ? readFile(raw, read.mail.section, index) : null;
}
