// HTTP to URLs that others chose: customers (webhooks) and the domains of recipients (policies). Without a guard such a
// URL could point at our own stores, at a cloud's metadata service, or at a name whose address changes between the check and the connection (DNS rebinding).
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
type HttpResult = (HttpAnswer | { kind: 'failed' | 'blocked'; detail: string }) & { ms: number };

interface HttpAnswer {
  kind: 'answered';
  status: number;
  retryAfter: string | null;
  contentType: string | null;
  body: string;
  /** Whether `body` is all of it: it was no longer than what is read, and did not break off. */
  whole: boolean;
}

/** The guarded client of one process. */
export interface GuardedHttp {
  /** Why this URL may not be used, in words for its owner; null when it may. Looks the name up. */
  checkUrl(url: string): Promise<string | null>;
  /** Posts a body. Never throws, and never takes longer than `timeoutMs` in all. */
  post(url: string, headers: Record<string, string>, body: Body, timeoutMs: number): Promise<HttpResult>;
  /** The same for reading what is there. */
  get(url: string, timeoutMs: number): Promise<HttpResult>;
  close(): Promise<void>;
}

/** Bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 64 * 1024;

const CHECK_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const MAX_ADDRESSES = 16; // of one name that are tried; all of them are checked

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
  const guarded = async (
    what: string,
    url: string,
    timeoutMs: number,
    content: RequestContent,
  ): Promise<HttpResult> => {
    const startedAt = monotonicMs();
    const ms = () => Math.round(monotonicMs() - startedAt);
    const refused = checkForm(url, allowPrivate) ?? checkLiteral(url, allowPrivate);
    if (refused !== null) return { kind: 'blocked', detail: `${what} ${refused}`, ms: ms() };
    try {
      return { ...(await exchange(agent, url, content, timeoutMs)), ms: ms() };
    } catch (error) {
      const blocked = findBlocked(error);
      if (blocked) return { kind: 'blocked', detail: `${what} ${blocked.message}`, ms: ms() };
      return { kind: 'failed', detail: describeFailure(error, timeoutMs), ms: ms() };
    }
  };
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
    post: (url, headers, body, timeoutMs) => {
      const whole = { ...headers, 'content-length': String(body.length) };
      const bytes = Buffer.isBuffer(body) ? body : Readable.from(body.pieces());
      return guarded('the webhook URL', url, timeoutMs, { method: 'POST', headers: whole, body: bytes });
    },
    get: (url, timeoutMs) => guarded('the URL', url, timeoutMs, { method: 'GET' }),
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

// Of Azure: it gives virtual machines their settings and secrets, in the public range. The metadata addresses of other clouds are
// link-local (169.254.169.254), of a carrier's NAT (Alibaba 100.100.100.200), reserved (Oracle 192.0.0.192) or local (AWS
// fd00:ec2::254): none is unicast.
const AZURE_WIRE_SERVER = '168.63.129.16';

/** Whether an address is on the public internet. IPv6 beside 2000::/3 carries tunnels and translators to anywhere. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:10.0.0.1 is judged as 10.0.0.1
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_WIRE_SERVER) return false;
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0]! & 0xe0) === 0x20;
}

async function resolvePublic(
  dns: Dns | null,
  host: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  const addresses = isIP(host) === 0 ? await addressesOf(dns, host) : [host];
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new Blocked(NOT_PUBLIC);
  return addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
}

// A name that the configured servers do not have may still be in this machine's own files.
async function addressesOf(dns: Dns | null, host: string): Promise<string[]> {
  const found = await dns?.addresses(host.replace(/\.$/, ''));
  const addresses =
    found?.kind === 'found'
      ? found.records
      : (await systemLookup(host, { all: true })).map((one) => one.address);
  if (addresses.length === 0) throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
  return addresses;
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

type RequestContent =
  | { method: 'GET' }
  | { method: 'POST'; headers: Record<string, string>; body: Buffer | Readable };

async function exchange(
  agent: Agent,
  url: string,
  content: RequestContent,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await request(url, { ...content, dispatcher: agent, signal });
  return {
    kind: 'answered',
    status: response.statusCode,
    retryAfter: firstOf(response.headers['retry-after']),
    contentType: firstOf(response.headers['content-type']),
    ...(await readStart(response.body)),
  };
}

function firstOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

// The status has decided; what breaks while the rest is read changes nothing for those who only show it.
async function readStart(
  body: AsyncIterable<Buffer> & { destroy(): unknown },
): Promise<Pick<HttpAnswer, 'body' | 'whole'>> {
  const parts: Buffer[] = [];
  let length = 0;
  let broke = false;
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, MAX_ANSWER_BYTES - length));
      length += part.length;
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    broke = true;
    body.destroy();
  }
  return { body: Buffer.concat(parts).toString('utf8'), whole: !broke && length < MAX_ANSWER_BYTES };
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
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code in FAILURES) return FAILURES[code]!;
  if (NO_HTTP_CODE.test(code)) return NO_HTTP;
  return code.startsWith('ERR_SSL_') ? NO_TLS : `the connection failed (${code})`;
}

const NO_HTTP_CODE = /^(?:UND_ERR|HPE_|ERR_ASSERTION$|$)/;
const NO_TLS = 'the server does not speak TLS that we can use';
const NO_HTTP = 'what the server answered is not HTTP';

// By the codes of Node, OpenSSL and undici. Their own messages name our addresses and their internals.
const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refuses connections at this port',
  ECONNRESET: 'the server broke the connection off',
  EPIPE: 'the server broke the connection off',
  UND_ERR_SOCKET: 'the server broke the connection off',
  ETIMEDOUT: 'the server does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not answer',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ENOTFOUND: 'its host has no address in the DNS',
  EAI_AGAIN: 'its host cannot be looked up at the moment',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself, not by a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it does not send the certificates between its own and the authority',
  EPROTO: NO_TLS,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are longer than 16 KiB',
};

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
