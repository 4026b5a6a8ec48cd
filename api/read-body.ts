// Reads a request body up to a limit. A body that says it is larger is refused before a byte of it is read, one that
// turns out larger as soon as it does.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { AppError } from '../core/base/errors.ts';
import { wasCutOff } from './http2.ts';

/** The raw request and response below a request, as @hono/node-server hands them on; of HTTP/2 those that look the same. */
export interface NodeExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Bytes of a JSON body unless a route says otherwise; the contract's 1 MiB. */
export const DEFAULT_BODY_BYTES = 1024 * 1024;

/** Bytes of a body that sends; the contract's 15 MiB: 10 MiB of attachments are 13.4 MiB in base64, the rest is text. */
export const SEND_BODY_BYTES = 15 * 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/** Refuses what is not plain JSON in UTF-8. */
export function requireJson(incoming: IncomingMessage): void {
  const type = incoming.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type.trim())) {
    throw new AppError('unsupported_media_type', 'Content-Type must be application/json.');
  }
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'Content-Encoding must be identity: send the body uncompressed.',
    );
  }
}

/** Whether a request comes with a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

// Bytes. What came in the same packets as the headers, or soon after: reading so much costs less than asking Redis.
const SMALL_BODY_BYTES = 64 * 1024;

/** Whether a request says that its body is small. */
export function hasSmallBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding === undefined && Number(length ?? 0) <= SMALL_BODY_BYTES;
}

/** The whole body. Throws `payload_too_large` beyond the limit. */
export async function readBody({ incoming, outgoing }: NodeExchange, limitBytes: number): Promise<Buffer> {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limitBytes) throw tooLarge(limitBytes);
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      incoming.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) return void chunks.push(chunk);
      stop();
      incoming.pause();
      reject(tooLarge(limitBytes));
    };
    const onEnd = () => {
      if (wasCutOff(incoming)) return onError(new Error('cut off'));
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const onError = (error: Error) => {
      stop();
      reject(aborted(error));
    };
    const onClose = () => onError(new Error('closed'));
    incoming.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes >= 1_048_576 ? `${limitBytes / 1_048_576} MiB` : `${limitBytes} bytes`;
  return new AppError('payload_too_large', `The body must not be larger than ${limit}.`);
}

// Nobody is there to read the answer; the code only keeps it out of the log of errors.
function aborted(cause: Error): AppError {
  return new AppError('invalid_json', 'The request ended before its body did.', { cause });
}
