// A client of GET /events/stream that reads what comes, byte for byte as a browser would take it apart.

import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

import { waitUntil } from './wait.ts';

/** One event of a stream. */
export interface StreamedEvent {
  cursor: string;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely and assert what they find
  data: any;
}

/** An open stream. */
export interface EventStream {
  status: number;
  headers: IncomingMessage['headers'];
  events: StreamedEvent[];
  /** The id that came last, with an event or without. */
  lastId(): string | undefined;
  comments(): number;
  /** How it ended: `clean`, `cut`, or null while it is open. */
  ended(): 'clean' | 'cut' | null;
  /** The whole text, of an answer that is no stream. */
  text(): string;
  /** Stops reading; what comes then fills the buffers in between. */
  pause(): void;
  resume(): void;
  hangUp(): void;
}

/** Opens one and waits for the head of the answer. */
export async function openEventStream(
  port: number,
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const events: StreamedEvent[] = [];
  let [rest, whole, lastId, comments] = ['', '', undefined as string | undefined, 0];
  let ended: 'clean' | 'cut' | null = null;
  const take = (block: string) => {
    const lines = block.split('\n');
    const field = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    comments += lines.filter((line) => line.startsWith(':')).length;
    lastId = field('id') ?? lastId;
    const data = field('data');
    if (data !== undefined)
      events.push({ cursor: field('id')!, type: field('event')!, data: JSON.parse(data) });
  };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: `/api/v1/events/stream${query}`,
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
        rejectUnauthorized: false,
        agent: false,
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    whole = (whole + chunk).slice(0, 10_000);
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  });
  incoming.on('end', () => (ended ??= 'clean'));
  incoming.on('error', () => (ended ??= 'cut'));
  incoming.on('close', () => (ended ??= 'cut'));
  const status = incoming.statusCode ?? 0;
  if (status !== 200) await waitUntil(() => ended !== null);
  return {
    status,
    headers: incoming.headers,
    events,
    lastId: () => lastId,
    comments: () => comments,
    ended: () => ended,
    text: () => whole,
    pause: () => incoming.pause(),
    resume: () => incoming.resume(),
    hangUp: () => incoming.destroy(),
  };
}
