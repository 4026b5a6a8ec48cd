// Follows events over Server-Sent Events, and comes back where it was when the connection breaks.

import { PostriderError } from './errors.ts';
import type { components } from './gen/api.ts';
import { wait } from './retry.ts';

/** Which events, and from where on. */
export interface FollowOptions {
  /** The cursor of the event read last, or `newest`; without it, from the oldest event that is kept. */
  after?: string;
  types?: components['schemas']['EventType'][];
  signal?: AbortSignal;
}

/** An event, and the cursor behind it. */
export interface FollowedEvent {
  event: components['schemas']['Event'];
  /** Keep it with what you did for the event: `after` goes on from there. */
  cursor: string;
}

/** Opens the stream behind a cursor; gives up when the signal aborts. */
export type OpenStream = (after: string | undefined, signal: AbortSignal) => Promise<Response>;

const SILENCE_MS = 45_000; // of three comments, which come every 15 s
const PAUSE_MS = 1_000;

/** Every event once, in the order of commit, until the signal aborts. Throws what is final, such as `gone`. */
export async function* follow(
  open: OpenStream,
  { after, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, never, undefined> {
  let cursor = after;
  for (;;) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const answer = await open(cursor, signal ? AbortSignal.any([signal, silence.signal]) : silence.signal);
      if (!answer.ok) throw new PostriderError(answer, await answer.json().catch(() => null));
      for await (const block of blocksOf(answer.body!, () => timer.refresh())) {
        cursor = block.id ?? cursor;
        if (block.data !== undefined && cursor !== undefined)
          yield { event: JSON.parse(block.data) as FollowedEvent['event'], cursor };
      }
    } catch (error) {
      if (error instanceof PostriderError || signal?.aborted === true) throw error;
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
    await wait(PAUSE_MS, signal);
  }
}

interface Block {
  id?: string;
  data?: string;
}

// The stream as the API writes it: lines `name: value`, and an empty line behind each block.
async function* blocksOf(body: ReadableStream<Uint8Array>, onData: () => void): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    onData();
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield fieldsOf(block);
  }
}

function fieldsOf(block: string): Block {
  const lines = block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(': ') + 2)]);
  return Object.fromEntries(lines) as Block;
}
