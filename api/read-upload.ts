// A request body that its handler reads as it streams in: never more of it in memory than the handler asked for.

import { AppError } from '../core/base/errors.ts';
import { wasCutOff } from './http2.ts';
import type { NodeExchange } from './read-body.ts';

/** A body under way. */
export interface Upload {
  /** The media type, lower case, without parameters. */
  type: string;
  /** The bytes, in order. Ends in `payload_too_large` beyond the limit; the client waits while nobody reads. */
  chunks: AsyncIterable<Buffer>;
}

/** Opens the body. Refuses other media types and what says that it is larger than the limit. */
export function openUpload(env: NodeExchange, types: readonly string[], limitBytes: number): Upload {
  const { incoming, outgoing } = env;
  const [given = '', ...parameters] = (incoming.headers['content-type'] ?? '').toLowerCase().split(';');
  const type = given.trim();
  if (!types.includes(type) || !parameters.every(isUtf8Charset)) {
    throw new AppError('unsupported_media_type', `Content-Type must be ${types.join(' or ')}, in UTF-8.`);
  }
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported_media_type', 'Content-Encoding must be identity: send it uncompressed.');
  }
  if (Number(incoming.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  return { type, chunks: readWithin(env, limitBytes) };
}

async function* readWithin({ incoming }: NodeExchange, limitBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    // Leaving the loop early must not cut the connection: the refusal still goes out over it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limitBytes) throw tooLarge(limitBytes);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_json', 'The request ended before its body did.', { cause: error });
  }
  if (!incoming.complete || wasCutOff(incoming))
    throw new AppError('invalid_json', 'The request ended before its body did.');
}

// Other parameters (`header=present` of RFC 4180) say nothing that we do not find out by ourselves.
function isUtf8Charset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `The body must not be larger than ${limitBytes / 1_048_576} MiB.`);
}
