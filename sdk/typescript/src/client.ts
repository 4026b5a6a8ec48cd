// The client: a method for each operation of the API, over openapi-fetch.

import { randomUUID } from 'node:crypto';
import createFetchClient from 'openapi-fetch';

import { PostriderError } from './errors.ts';
import type { paths } from './gen/api.ts';
import { OPERATIONS, VERSION } from './gen/operations.ts';
import { follow, type FollowedEvent, type FollowOptions } from './follow.ts';
import type { Operations, RequestOptions } from './operations.ts';
import { fetchWithRetries } from './retry.ts';

/** What a client is made with. */
export interface PostriderOptions {
  /** `sk_live_…`; by default the environment's POSTRIDER_API_KEY. */
  apiKey?: string;
  /** Ends in `/api/v1`; by default the environment's POSTRIDER_BASE_URL. */
  baseUrl?: string;
  /** Milliseconds for each attempt: 30,000 by default. */
  timeoutMs?: number;
  /** Requests after the first one: 4 by default. */
  maxRetries?: number;
}

/** The client. */
export interface Postrider extends Readonly<Operations> {
  /** Every event once, in the order of commit, and then what happens, until the signal aborts. */
  followEvents(options?: FollowOptions): AsyncGenerator<FollowedEvent, never, undefined>;
}

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

type AnyRequest = (method: string, path: string, init: object) => Promise<Answer>;

/** Makes a client. Nothing is sent until one of its methods is called. */
export function createPostrider(options: PostriderOptions = {}): Postrider {
  const apiKey = setting(options.apiKey, 'apiKey', 'POSTRIDER_API_KEY');
  const baseUrl = setting(options.baseUrl, 'baseUrl', 'POSTRIDER_BASE_URL');
  const { timeoutMs = 30_000, maxRetries = 4 } = options;
  const headers = { authorization: `Bearer ${apiKey}`, 'user-agent': `postrider-node/${VERSION}` };
  const http = createFetchClient<paths>({ baseUrl, headers });
  const request = http.request as unknown as AnyRequest;

  const call = async (id: keyof typeof OPERATIONS, input: AnyInput = {}, own: RequestOptions = {}) => {
    const { method, path, file } = OPERATIONS[id];
    const retries = { timeoutMs: own.timeoutMs ?? timeoutMs, maxRetries: own.maxRetries ?? maxRetries };
    const { data, error, response } = await request(method, path, {
      params: { path: input.path, query: input.query },
      ...bodyOf(input.body),
      headers: {
        ...(method === 'post' && { 'idempotency-key': own.idempotencyKey ?? randomUUID() }),
        ...(typeof input.body === 'string' && { 'content-type': 'text/csv' }),
      },
      signal: own.signal,
      parseAs: file ? 'arrayBuffer' : 'json',
      fetch: (one: Request) => fetchWithRetries(one, retries),
    });
    if (!response.ok) throw new PostriderError(response, error);
    return file ? new Uint8Array(data as ArrayBuffer) : (data as { data: unknown }).data;
  };

  const methods = Object.keys(OPERATIONS).map((id) => [
    id,
    (input?: AnyInput, own?: RequestOptions) => call(id as keyof typeof OPERATIONS, input, own),
  ]);
  const followEvents = (wanted: FollowOptions = {}) => {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/events/stream`);
    if (wanted.types) url.searchParams.set('types', wanted.types.join(','));
    return follow((after, signal) => {
      if (after !== undefined) url.searchParams.set('after', after);
      return fetchWithRetries(new Request(url, { headers, signal }), FOR_EVER);
    }, wanted);
  };
  return { ...(Object.fromEntries(methods) as Operations), followEvents };
}

const FOR_EVER = { timeoutMs: null, maxRetries: Number.POSITIVE_INFINITY };

// Text is sent as it is (an import's CSV), all else as JSON.
function bodyOf(body: unknown): object {
  if (body === undefined) return {};
  return typeof body === 'string' ? { body, bodySerializer: (text: string) => text } : { body };
}

function setting(value: string | undefined, option: string, variable: string): string {
  const found = value ?? process.env[variable];
  if (found === undefined || found === '')
    throw new TypeError(`createPostrider needs ${option}, or ${variable} in the environment`);
  return found;
}
