// HTTPS to the apis: one request, its whole answer or why there is none.

import { readFileSync } from 'node:fs';
import { Agent, request, type Dispatcher } from 'undici';

/** A whole answer. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The body as JSON; null when it is none. */
  json: unknown;
}

/** Why there is no answer. */
export interface NoAnswer {
  /** The connection was never made, so that nothing was asked. */
  notConnected: boolean;
  reason: string;
}

/** What is asked. */
export interface HttpAsk {
  method: 'GET' | 'POST' | 'PATCH';
  /** With origin. */
  url: string;
  token: string;
  body?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** Asks. Never rejects. */
export type Http = (ask: HttpAsk) => Promise<HttpAnswer | NoAnswer>;

const TIMEOUT_MS = 15_000; // an api answers within 10 s, or says 503
const CONNECT_MS = 3_000;
const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];

/** Opens connections as needed; `caFile` signed the certificates. */
export function createHttp(caFile: string): { http: Http; close(): Promise<void> } {
  const agent = new Agent({ connect: { ca: readFileSync(caFile), timeout: CONNECT_MS }, pipelining: 1 });
  return {
    http: async ({ method, url, token, body, headers, timeoutMs = TIMEOUT_MS }) => {
      try {
        const answer = await request(url, {
          method,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body }),
        });
        return await whole(answer);
      } catch (error) {
        const { code, message } = error as Error & { code?: string | number };
        return { notConnected: NOT_CONNECTED.includes(String(code)), reason: message };
      }
    },
    close: () => agent.destroy(),
  };
}

async function whole({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const bytes = Buffer.from(await body.arrayBuffer());
  return { status: statusCode, headers, body: bytes, json: parse(bytes) };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
