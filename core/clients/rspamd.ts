// Asks rspamd what it thinks of a message: its HTTP protocol, /checkv2 (https://rspamd.com/doc/developers/protocol.html).
//
// Guarantee: `check` never throws and never takes longer than its limit; of an answer 1 MiB is read at most.

import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { z } from 'zod';

import type { Config } from '../base/config.ts';
import type { Body } from './guarded-http.ts';

/** The envelope that a message came in. */
export interface ScanEnvelope {
  /** Names the message in rspamd's log. */
  queueId: string;
  /** IP address of the client. */
  peer: string;
  helo: string;
  /** Its name in the DNS, confirmed both ways; null when it has none. */
  hostname: string | null;
  /** Empty for the null sender. */
  mailFrom: string;
  recipients: string[];
}

/** What rspamd says, as far as we use it. Texts are its own, scores its points. */
export type RspamdAnswer = z.output<typeof answer>;

/** An answer, or why there is none. */
type Checked =
  | { kind: 'answered'; answer: RspamdAnswer }
  | { kind: 'failed'; reason: 'timeout' | 'unreachable' | 'error' | 'bad_answer' };

/** The client of one process. */
export interface Rspamd {
  check(envelope: ScanEnvelope, body: Body, limitMs: number): Promise<Checked>;
  close(): Promise<void>;
}

/** Milliseconds for a whole check. rspamd itself stops after 8 s (`task_timeout`) and answers with what it has by then. */
export const SCAN_LIMIT_MS = 10_000;

const MAX_ANSWER_BYTES = 1024 * 1024; // an ordinary one has 2 to 20 kB
const MAX_CONNECTIONS = 64; // further checks wait for one, within their limit
const MAX_RECIPIENTS = 100; // that are named to rspamd, whose choice of settings may depend on them
const MAX_NAME_CHARS = 100;
const MAX_SYMBOLS = 5_000; // a stock rspamd has about 1,500 of them

const name = z.string().max(MAX_NAME_CHARS);
const answer = z.object({
  is_skipped: z.boolean().optional(),
  score: z.number(),
  required_score: z.number(),
  action: name,
  symbols: z
    .record(name, z.object({ score: z.number(), options: z.array(z.string()).optional() }))
    .refine((symbols) => Object.keys(symbols).length <= MAX_SYMBOLS)
    .default({}),
});

/** Makes the client of RSPAMD_URL; null when mail is not to be scanned. */
export function createRspamd(config: Pick<Config, 'RSPAMD_URL' | 'RSPAMD_PASSWORD'>): Rspamd | null {
  const { RSPAMD_URL, RSPAMD_PASSWORD } = config;
  if (RSPAMD_URL === undefined) return null;
  const url = new URL('/checkv2', RSPAMD_URL);
  // The one deadline of the whole check counts.
  const dispatcher = new Agent({ connections: MAX_CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  const ask = async (envelope: ScanEnvelope, body: Body, signal: AbortSignal): Promise<Checked> => {
    const response = await request(url, {
      method: 'POST',
      headers: {
        ...headersOf(envelope),
        'content-length': String(body.length),
        ...(RSPAMD_PASSWORD !== undefined && { password: RSPAMD_PASSWORD }),
      },
      body: Buffer.isBuffer(body) ? body : Readable.from(body.pieces()),
      dispatcher,
      signal,
    });
    const text = await readText(response.body);
    if (response.statusCode !== 200) return { kind: 'failed', reason: 'error' };
    const parsed = answer.safeParse(text === null ? null : parseJson(text));
    return parsed.success
      ? { kind: 'answered', answer: parsed.data }
      : { kind: 'failed', reason: 'bad_answer' };
  };
  return {
    async check(envelope, body, limitMs) {
      const signal = AbortSignal.timeout(Math.ceil(limitMs));
      try {
        return await ask(envelope, body, signal);
      } catch (error) {
        if (signal.aborted) return { kind: 'failed', reason: 'timeout' };
        return { kind: 'failed', reason: isNoHttp(error) ? 'bad_answer' : 'unreachable' };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function headersOf(envelope: ScanEnvelope): Record<string, string | string[]> {
  const { queueId, peer, helo, hostname, mailFrom, recipients } = envelope;
  return {
    'queue-id': queueId,
    ip: peer,
    ...(helo !== '' && { helo: octets(helo) }),
    ...(hostname !== null && { hostname: octets(hostname) }),
    from: octets(`<${mailFrom}>`),
    rcpt: recipients.slice(0, MAX_RECIPIENTS).map((address) => octets(`<${address}>`)),
  };
}

// An HTTP header is octets: what is above ASCII goes as its UTF-8 octets. Clients choose what they say in HELO.
function octets(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '?');
}

async function readText(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MAX_ANSWER_BYTES) {
      body.destroy();
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isNoHttp(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('HPE_');
}
