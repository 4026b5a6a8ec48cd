// HTTP/2 frame by frame (RFC 9113 section 4.1): what a client library hides, such as the order of END_STREAM and
// RST_STREAM, or a client that opens no window.

import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { waitUntil } from './wait.ts';

/** A frame that the server sent. */
export interface Frame {
  type: keyof typeof TYPES;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** A connection. */
export interface FrameConnection {
  socket: TLSSocket;
  /** All frames so far, in order. */
  frames: Frame[];
  /** Frames of a stream. */
  of(stream: number): Frame[];
  /** Waits until a frame is there. */
  until(what: string, matches: (frame: Frame) => boolean): Promise<Frame>;
  /** Sends a request without its body; returns its stream. */
  request(headers: Record<string, string>, options?: { hasBody: boolean }): number;
  data(stream: number, body: string, end: boolean): void;
  /** Sends so many bytes of a body as the windows of the server allow, until the stream is reset or all are sent. */
  upload(stream: number, bytes: number): Promise<void>;
  /** Lets the server send so many more bytes on a stream, and on the connection. */
  openWindow(stream: number, bytes: number): void;
  close(): void;
}

const TYPES = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
} as const;
const NAMES = new Map(Object.entries(TYPES).map(([name, type]) => [type as number, name as Frame['type']]));
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEADER_BYTES = 9;
const END_STREAM = 0x1; // ACK of SETTINGS
const END_HEADERS = 0x4;
const FRAME_BYTES = 16_384;
const DEFAULT_WINDOW = 65_535;

/** Ids of settings (RFC 9113 section 6.5.2). */
export const SETTING = { maxConcurrentStreams: 3, initialWindowSize: 4 } as const;

/** Whether a frame ends its stream. */
export function endsStream({ type, flags }: Frame): boolean {
  return (type === 'DATA' || type === 'HEADERS') && (flags & END_STREAM) !== 0;
}

/** The settings that a SETTINGS frame names. */
export function settingsIn({ payload }: Frame): Map<number, number> {
  const settings = new Map<number, number>();
  for (let at = 0; at + 6 <= payload.length; at += 6)
    settings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  return settings;
}

/** Connects with these settings. `localAddress` is another client of loopback. */
export async function connectFrames(
  port: number,
  settings: Partial<Record<keyof typeof SETTING, number>> = {},
  localAddress = '127.0.0.1',
): Promise<FrameConnection> {
  const socket = connectFrom(port, localAddress, { ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  const frames: Frame[] = [];
  const sentOn = new Map<number, number>(); // bytes of DATA by stream; of the connection under 0
  const send = (type: keyof typeof TYPES, flags: number, stream: number, payload: Buffer) => {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUIntBE(payload.length, 0, 3);
    header[3] = TYPES[type];
    header[4] = flags;
    header.writeUInt32BE(stream, 5);
    socket.write(Buffer.concat([header, payload]));
    if (type === 'DATA') for (const id of [0, stream]) sentOn.set(id, (sentOn.get(id) ?? 0) + payload.length);
  };
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUIntBE(0, 3);
      if (rest.length < end) return;
      const type = NAMES.get(rest[3]!);
      const payload = rest.subarray(HEADER_BYTES, end);
      if (type) frames.push({ type, flags: rest[4]!, stream: rest.readUInt32BE(5), payload });
      if (type === 'SETTINGS' && (rest[4]! & END_STREAM) === 0)
        send('SETTINGS', END_STREAM, 0, Buffer.alloc(0));
      rest = rest.subarray(end);
    }
  });
  // What the server lets the client send in all (RFC 9113 section 6.9); of the connection when `stream` is 0.
  const windowOf = (stream: number) => {
    const first = frames.find(({ type }) => type === 'SETTINGS');
    const initial = stream === 0 || !first ? undefined : settingsIn(first).get(SETTING.initialWindowSize);
    return frames
      .filter((frame) => frame.type === 'WINDOW_UPDATE' && frame.stream === stream)
      .reduce((sum, { payload }) => sum + payload.readUInt32BE(), initial ?? DEFAULT_WINDOW);
  };
  socket.write(PREFACE);
  const wanted = Object.entries(settings).map(([name, value]) => {
    const setting = Buffer.alloc(6);
    setting.writeUInt16BE(SETTING[name as keyof typeof SETTING], 0);
    setting.writeUInt32BE(value, 2);
    return setting;
  });
  send('SETTINGS', 0, 0, Buffer.concat(wanted));
  let next = 1;
  return {
    socket,
    frames,
    of: (stream) => frames.filter((frame) => frame.stream === stream),
    async until(what, matches) {
      await waitUntil(async () => frames.some(matches), { what: () => what });
      return frames.find(matches)!;
    },
    request(headers, { hasBody } = { hasBody: false }) {
      const stream = next;
      next += 2;
      const all = {
        ':method': 'GET',
        ':scheme': 'https',
        ':authority': 'localhost',
        ':path': '/',
        ...headers,
      };
      const block = Buffer.concat(Object.entries(all).map(([name, value]) => literal(name, value)));
      send('HEADERS', END_HEADERS | (hasBody ? 0 : END_STREAM), stream, block);
      return stream;
    },
    async upload(stream, bytes) {
      const body = Buffer.alloc(FRAME_BYTES);
      const isReset = () => frames.some((frame) => frame.type === 'RST_STREAM' && frame.stream === stream);
      for (let sent = 0; sent < bytes && !isReset(); sent += FRAME_BYTES) {
        const fits = (id: number) => windowOf(id) - (sentOn.get(id) ?? 0) >= FRAME_BYTES;
        await waitUntil(() => isReset() || (fits(0) && fits(stream)), { everyMs: 1 });
        send('DATA', 0, stream, body);
      }
    },
    data: (stream, body, end) => send('DATA', end ? END_STREAM : 0, stream, Buffer.from(body)),
    openWindow(stream, bytes) {
      const increment = Buffer.alloc(4);
      increment.writeUInt32BE(bytes);
      send('WINDOW_UPDATE', 0, stream, increment);
      send('WINDOW_UPDATE', 0, 0, increment);
    },
    close: () => socket.destroy(),
  };
}

/** A TLS connection from an address of loopback. */
export function connectFrom(port: number, localAddress: string, options: ConnectionOptions = {}): TLSSocket {
  const tcp = { host: '127.0.0.1', port, localAddress };
  return connect({ ...options, ...tcp, rejectUnauthorized: false });
}

// A header field that is not indexed, with a new name (RFC 7541 section 6.2.2); shorter than 127 octets.
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.of(0, name.length),
    Buffer.from(name),
    Buffer.of(value.length),
    Buffer.from(value),
  ]);
}
