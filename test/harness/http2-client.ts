// One connection of HTTP/2 to a server of ours, as browsers make it.

import { once } from 'node:events';
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2';

/** What came back; `reset` is the error code of a stream that was cut off, else 0. */
export interface Http2Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  reset: number;
}

/** Connects. */
export async function connectHttp2(port: number): Promise<ClientHttp2Session> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  session.on('error', () => {}); // of a connection that is ended while something is asked
  await once(session, 'connect');
  return session;
}

/** Asks with the whole body at once. */
export function askHttp2(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return readHttp2(stream);
}

/** The answer on a stream, once it is over. */
export async function readHttp2(stream: ClientHttp2Stream): Promise<Http2Answer> {
  const answer: Http2Answer = { status: 0, headers: {}, text: '', reset: 0 };
  stream.on('response', (headers) => {
    answer.headers = headers;
    answer.status = Number(headers[':status']);
  });
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (answer.text += chunk));
  stream.on('error', () => {});
  // Node's client keeps a stream open whose body the server does not want to its end.
  await new Promise<void>((resolve) => {
    stream.once('close', resolve);
    stream.once('end', () => setImmediate(resolve));
  });
  return { ...answer, reset: stream.rstCode ?? 0 };
}
