// An answer that is a file instead of the envelope. What a sender wrote is never shown in the page of our origin: it is
// always a download, its type is not guessed, and it may run nothing.

import { Readable } from 'node:stream';

import { inThisContext } from '../tenant-database.ts';

/** Bytes of a known type. `length` null: it is known when they end. They are read in the context in which this is made. */
export class FileAnswer {
  readonly contentType: string;
  readonly filename: string;
  readonly length: number | null;
  readonly pieces: AsyncIterable<Buffer>;

  constructor(file: {
    contentType: string;
    filename: string;
    length: number | null;
    pieces: AsyncIterable<Buffer>;
  }) {
    this.contentType = file.contentType;
    this.filename = file.filename;
    this.length = file.length;
    this.pieces = inThisContext(file.pieces);
  }
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The response for a file; `headers` are those that every answer carries. */
export function fileResponse(file: FileAnswer, status: number, headers: Record<string, string>): Response {
  const body = Readable.toWeb(Readable.from(whole(file))) as unknown as ReadableStream<Uint8Array>;
  return new Response(body, {
    status,
    headers: {
      ...headers,
      'content-type': TYPE.test(file.contentType) ? file.contentType : 'application/octet-stream',
      ...(file.length !== null && { 'content-length': String(file.length) }),
      'content-disposition': disposition(file.filename),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  });
}

// What was deleted while it is downloaded breaks the connection; without an error the client waits for the rest.
async function* whole({ pieces, length }: FileAnswer): AsyncGenerator<Buffer> {
  let missing = length ?? 0;
  for await (const piece of pieces) {
    missing -= piece.length;
    yield piece;
  }
  if (missing > 0) throw brokenOff();
}

// The HTTP server prints what broke an answer off. Nothing is at fault here, so it is one line.
function brokenOff(): Error {
  const error = new Error('a file ended before its length: it was deleted meanwhile');
  error.stack = String(error);
  return error;
}

// RFC 6266: a plain name for old clients, and the real one in UTF-8 (RFC 8187).
function disposition(filename: string): string {
  const name = filename.replace(/[\p{Cc}\p{Cf}/\\]/gu, '_').slice(0, 150) || 'file';
  const plain = name.replace(/[^\x20-\x7e]|["%;]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeChar);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escapeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
