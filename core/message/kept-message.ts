// A message with what it says, for those who may read it: the one place that decides who may not.

import { AppError, notFound } from '../base/errors.ts';
import type { Queryable } from '../db/pool.ts';
import { OutgoingMessage } from '../gen/sender/v1/sender.ts';
import { selectKept, type KeptMessage } from './content-store.ts';
import { unpackContent } from './stored-content.ts';

/** A message whose content is kept, and that content. */
export interface ReadableMessage {
  message: KeptMessage & { content: Buffer; octets: number };
  stored: OutgoingMessage;
}

/** Reads it. Throws not_found, and gone once the content is deleted or when it is confidential. */
export async function readKept(db: Queryable, tenantId: string, id: string): Promise<ReadableMessage> {
  const message = await selectKept(db, tenantId, id);
  if (!message) throw notFound('message');
  const { content } = message;
  if (content === null) throw gone('The content of this message is not kept any more.');
  const plain = await unpackContent(content);
  const stored = OutgoingMessage.decode(plain);
  if (stored.confidential)
    throw gone('The content of this message is for its recipient alone: a link in it opens their account.');
  return { message: { ...message, content: plain, octets: plain.length }, stored };
}

/** What a message says cannot be shown any more. */
export function gone(why: string): AppError {
  return new AppError('gone', why);
}
