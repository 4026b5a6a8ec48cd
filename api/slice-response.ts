// Writes the body of a response slice by slice, so that a client which reads slowly holds one slice in its connection,
// and every slice that it accepts is seen as progress. Node would encrypt and queue a body of any size at once.

import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';

import { monotonicMs } from '../core/base/clock.ts';

/** A response of HTTP/1.1 or HTTP/2. */
export type Outgoing = ServerResponse | Http2ServerResponse;

/** A response whose body is written in slices. */
export interface SlicedResponse {
  /** The client whose bytes these are; empty until something waits for it. */
  address: string;
  /** When the client last accepted a slice, on the monotonic clock. */
  movedAt: number;
  /** Ends the response by a reset of its stream, or of its connection. False: it was sent, and its request still arrives. */
  cut(): boolean;
}

/** Events of a response. */
export interface SliceEvents {
  /** Bytes begin to wait for the client, or it accepted some. */
  moved(response: SlicedResponse): void;
  /** The number of waiting bytes changed by `bytes`. */
  queued(response: SlicedResponse, bytes: number): void;
  /** Nothing waits now. */
  drained(response: SlicedResponse): void;
}

// Bytes: one HTTP/2 frame, one TLS record. At 5 kbit/s a slice takes 26 s: the slowest client makes progress in 30 s.
const SLICE_BYTES = 16 * 1024;
const RESET_MS = 1_000; // for the reset of a stream to be sent; then the client does not read its connection either

const shared = new WeakSet<Uint8Array>();

/** Marks the bytes of a document that many responses send: only slices under way count as waiting. */
export function shareBody<B extends Uint8Array>(bytes: B): B {
  shared.add(bytes);
  return bytes;
}

interface Writable {
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  end(chunk?: string | Uint8Array): unknown;
}

/** Slices what is written to a response from now on; call it before the first byte. */
export function sliceResponse(
  outgoing: Outgoing,
  addressOf: () => string,
  events: SliceEvents,
): SlicedResponse {
  const target = outgoing as Writable;
  const write = target.write.bind(outgoing);
  const end = target.end.bind(outgoing);
  const chunks: Uint8Array[] = [];
  let sent = 0; // bytes of the first chunk
  let inFlight = 0;
  let charged = 0;
  let wantsDrain = false;
  let ended = false;
  let over = false;

  const response: SlicedResponse = {
    address: '',
    movedAt: 0,
    cut() {
      settle();
      if (!(outgoing instanceof Http2ServerResponse)) outgoing.destroy();
      else if (outgoing.stream.state.localClose === 1) return false;
      else resetStream(outgoing);
      return true;
    },
  };
  const charge = (bytes: number) => {
    charged += bytes;
    if (response.address === '') response.address = addressOf();
    events.queued(response, bytes);
  };
  const moved = () => {
    response.movedAt = monotonicMs();
    events.moved(response);
  };
  const settle = () => {
    if (over) return;
    over = true;
    chunks.length = 0;
    if (charged > 0) charge(-charged);
    events.drained(response);
  };
  const flushed = (error?: Error | null) => {
    if (over || error) return; // an error ends in `close`
    charge(-inFlight);
    inFlight = 0;
    moved();
    if (chunks.length > 0) return send();
    if (ended) return void end();
    events.drained(response);
    if (!wantsDrain) return;
    wantsDrain = false;
    outgoing.emit('drain');
  };
  const send = () => {
    const [chunk] = chunks;
    if (!chunk || inFlight > 0 || over) return;
    const slice = chunk.subarray(sent, sent + SLICE_BYTES);
    sent += slice.length;
    if (sent === chunk.length) {
      chunks.shift();
      sent = 0;
    }
    inFlight = slice.length;
    if (shared.has(chunk)) charge(inFlight);
    if (over) return; // `charge` may cut this response
    if (ended && chunks.length === 0) endWith(slice);
    else write(slice, flushed);
  };
  const endWith = (last: string | Uint8Array) => {
    if (!(outgoing instanceof Http2ServerResponse)) return void end(last);
    write(last); // its `end` would call the `write` below
    end();
  };
  const push = (chunk: string | Uint8Array) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (bytes.length === 0 || over) return;
    if (chunks.length === 0 && inFlight === 0) moved();
    chunks.push(bytes);
    if (!shared.has(bytes)) charge(bytes.length);
  };

  target.write = (chunk) => {
    push(chunk);
    send();
    wantsDrain = chunks.length > 0;
    return !wantsDrain;
  };
  target.end = (chunk) => {
    // Most bodies: Node sends a text with the header in one write, bytes in a second one.
    if (typeof chunk === 'string' && chunks.length === 0 && inFlight === 0 && !over) {
      const bytes = Buffer.byteLength(chunk);
      if (bytes > 0 && bytes <= SLICE_BYTES) {
        moved();
        charge(bytes);
        if (!over) endWith(chunk);
        return outgoing;
      }
    }
    if (chunk !== undefined) push(chunk);
    ended = true;
    if (chunks.length > 0) send();
    else if (inFlight === 0 && !over) {
      moved();
      end();
    }
    return outgoing;
  };
  outgoing.once('finish', settle);
  outgoing.once('close', settle);
  return response;
}

function resetStream({ stream }: Http2ServerResponse): void {
  const { session } = stream;
  stream.close(constants.NGHTTP2_CANCEL);
  const late = setTimeout(() => session?.destroy(), RESET_MS).unref();
  stream.once('close', () => clearTimeout(late));
}
