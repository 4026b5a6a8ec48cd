// A request to the api, and what is wrong with an answer whatever was asked.

import { Agent, request } from 'node:https';

/** A request. The body is sent as it is. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** What came back; a text says why nothing did. */
export type Came = { status: number; type: string; text: string } | string;

const ANSWER_MS = 60_000; // twice the longest wait that a client may ask for; what takes longer is a finding
const STREAM_MS = 200; // of a stream of events that are looked at
const MAX_HEADER_BYTES = 16_000; // Node's own limit is 16 KiB
const SHOWN = 300; // characters of an answer in a finding

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 32 });

/** Asks the api of 127.0.0.1. Never throws. */
export function ask(port: number, asked: Asked): Promise<Came> {
  const { method, path, body = '' } = asked;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const headerBytes = path.length + JSON.stringify(asked.headers).length;
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...asked.headers, ...length },
      agent,
    };
    const outgoing = request(options, (incoming) => {
      const parts: Buffer[] = [];
      const type = incoming.headers['content-type'] ?? '';
      const done = () =>
        resolve({ status: incoming.statusCode ?? 0, type, text: Buffer.concat(parts).toString() });
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', done);
      incoming.on('error', done);
      if (!type.startsWith('text/event-stream')) return;
      setTimeout(() => {
        done();
        outgoing.destroy();
      }, STREAM_MS);
    });
    outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)));
    outgoing.on('error', (error) =>
      // 431, whose words are lost when the connection is closed while the rest of the header is still coming in.
      resolve(headerBytes > MAX_HEADER_BYTES ? { status: 431, type: '', text: '' } : error.message),
    );
    outgoing.end(body);
  });
}

/** What is wrong with an answer of REST; null when nothing is. */
export function judgeRest(came: Came): string | null {
  if (typeof came === 'string') return came;
  if (came.status >= 500) return shown(came);
  if (!came.type.startsWith('application/json')) return null;
  const read = parse(came.text) as { ok?: unknown; error?: unknown; message?: unknown } | undefined;
  if (typeof read?.ok !== 'boolean') return `no envelope: ${shown(came)}`;
  if (read.ok !== came.status < 300) return `ok does not fit the status: ${shown(came)}`;
  const says = typeof read.error === 'string' && typeof read.message === 'string';
  return read.ok || says ? null : `an error without code or message: ${shown(came)}`;
}

const OURS = ['internal_error', 'unavailable'];

/** The same for GraphQL. */
export function judgeGraphql(came: Came): string | null {
  if (typeof came === 'string') return came;
  if (came.status >= 500) return shown(came);
  if (came.type.startsWith('text/event-stream')) return null;
  const read = parse(came.text) as Graphql | undefined;
  if (read?.data === undefined && read?.errors === undefined) return `no data and no errors: ${shown(came)}`;
  const codes = (read.errors ?? []).map((error) => error.extensions?.code);
  if (codes.includes(undefined)) return `an error without a code: ${shown(came)}`;
  return codes.some((code) => OURS.includes(code ?? '')) ? shown(came) : null;
}

interface Graphql {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

function shown({ status, text }: Exclude<Came, string>): string {
  return `${status} ${text.slice(0, SHOWN)}`;
}

/** JSON; undefined for what is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
