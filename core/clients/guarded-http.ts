// HTTP to URLs that customers chose. Without a guard such a URL could point at our own stores, at a cloud's metadata
// service, or at a name whose address changes between the check and the connection (DNS rebinding).
//
// Guarantee: a connection is made only to an address that this very look-up returned and that was found public, and
// only if every address of the name is. No redirect is followed, no proxy of the environment is used, and no more than
// 64 KiB of an answer are read.

import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

import { monotonicMs } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createDns, type Dns } from './dns.ts';

/** A body of known length: bytes, or a way to produce them. */
export type Body = Buffer | { length: number; pieces: () => AsyncIterable<Buffer> };

/** What came of a request. `blocked` means that the guard refused the address. */
type HttpResult =
  | { kind: 'answered'; status: number; retryAfter: string | null; body: string; ms: number }
  | { kind: 'failed'; detail: string; ms: number }
  | { kind: 'blocked'; detail: string; ms: number };

/** The guarded client of one process. */
export interface GuardedHttp {
  /** Why this URL may not be used, in words for its owner; null when it may. Looks the name up. */
  checkUrl(url: string): Promise<string | null>;
  /** Posts a body. Never throws, and never takes longer than `timeoutMs` in all. */
  post(url: string, headers: Record<string, string>, body: Body, timeoutMs: number): Promise<HttpResult>;
  close(): Promise<void>;
}

/** Bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 64 * 1024;

const CHECK_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const MAX_ADDRESSES = 16; // of one name; more is no web server

class Blocked extends Error {}

/** Makes the client. `allowPrivate` is for development and tests. */
export function createGuardedHttp(
  config: Pick<Config, 'WEBHOOK_ALLOW_PRIVATE' | 'DNS_SERVERS'>,
): GuardedHttp {
  const allowPrivate = config.WEBHOOK_ALLOW_PRIVATE;
  const dns = config.DNS_SERVERS.length > 0 ? createDns(config) : null;
  const resolve = (host: string) => resolvePublic(dns, host, allowPrivate);
  const agent = new Agent({
    connect: { lookup: guardedLookup(resolve), timeout: 0 },
    headersTimeout: 0, // the one deadline of the whole request counts
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
  });
  return {
    checkUrl: async (text) => {
      const refused = checkForm(text, allowPrivate);
      if (refused !== null) return refused;
      try {
        await inTime(resolve(hostOf(new URL(text))), CHECK_TIMEOUT_MS);
        return null;
      } catch (error) {
        return error instanceof Blocked ? error.message : 'its host cannot be found';
      }
    },
    post: async (url, headers, body, timeoutMs) => {
      const startedAt = monotonicMs();
      const ms = () => Math.round(monotonicMs() - startedAt);
      const refused = checkForm(url, allowPrivate) ?? checkLiteral(url, allowPrivate);
      if (refused !== null) return { kind: 'blocked', detail: `the webhook URL ${refused}`, ms: ms() };
      try {
        return { ...(await exchange(agent, url, headers, body, timeoutMs)), ms: ms() };
      } catch (error) {
        const blocked = findBlocked(error);
        if (blocked) return { kind: 'blocked', detail: `the webhook URL ${blocked.message}`, ms: ms() };
        return { kind: 'failed', detail: describeFailure(error, timeoutMs), ms: ms() };
      }
    },
    close: () => agent.destroy(),
  };
}

// What can be said without looking anything up.
function checkForm(text: string, allowPrivate: boolean): string | null {
  if (text.length > 2000) return 'is longer than 2000 characters';
  const url = URL.parse(text);
  if (!url) return 'is not a URL';
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (url.port === '0') return 'must not use port 0';
  return null;
}

// The connection asks no look-up for an address that is written out, so it is judged here.
function checkLiteral(text: string, allowPrivate: boolean): string | null {
  const host = hostOf(new URL(text));
  return isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host) ? NOT_PUBLIC : null;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const NOT_PUBLIC = 'points at an address that is not on the public internet';

/** Whether an address is on the public internet. IPv6 beside 2000::/3 carries tunnels and translators to anywhere. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:10.0.0.1 is judged as 10.0.0.1
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0]! & 0xe0) === 0x20;
}

async function resolvePublic(
  dns: Dns | null,
  host: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  const addresses = isIP(host) === 0 ? await addressesOf(dns, host) : [host];
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new Blocked(NOT_PUBLIC);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

// A name that the configured servers do not have may still be in this machine's own files.
async function addressesOf(dns: Dns | null, host: string): Promise<string[]> {
  const found = await dns?.addresses(host.replace(/\.$/, ''));
  const addresses =
    found?.kind === 'found'
      ? found.records
      : (await systemLookup(host, { all: true })).map((one) => one.address);
  if (addresses.length === 0) throw new Error(`no address for ${host}`);
  return addresses.slice(0, MAX_ADDRESSES);
}

function guardedLookup(
  resolve: (host: string) => Promise<{ address: string; family: number }[]>,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

async function exchange(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: Body,
  timeoutMs: number,
): Promise<{ kind: 'answered'; status: number; retryAfter: string | null; body: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    body: Buffer.isBuffer(body) ? body : Readable.from(body.pieces()),
    dispatcher: agent,
    signal,
  });
  const { 'retry-after': retryAfter } = response.headers;
  const first = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  const text = await readStart(response.body);
  return { kind: 'answered', status: response.statusCode, retryAfter: first ?? null, body: text };
}

// The status has decided; what breaks while the rest is read changes nothing.
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, MAX_ANSWER_BYTES - length));
      length += part.length;
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    body.destroy();
  }
  return Buffer.concat(parts).toString('utf8');
}

function findBlocked(error: unknown): Blocked | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof Blocked) return one;
    const inner =
      one instanceof AggregateError ? one.errors.find((each) => each instanceof Blocked) : undefined;
    if (inner instanceof Blocked) return inner;
  }
  return null;
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${timeoutMs / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}: ${error.message}`;
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
