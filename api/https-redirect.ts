// Plain HTTP gets a 301 to the same place over HTTPS, for every path and method. The one thing it answers by itself are
// HTTP-01 challenges of ours (RFC 8555 section 8.3), which come before there is a certificate.

import type { IncomingMessage } from 'node:http';

import type { ApiDeps } from './deps.ts';
import { newUuid, toId } from '../core/base/ids.ts';

/** A host with or without a port, as a Host header may name it. */
export const HOST = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const UNSAFE_IN_PATH = /[^\x21-\x7e]/g;

/** Where a request belongs. `httpsPort` is ours, or null behind a proxy that has its own. */
export function httpsLocation(
  incoming: IncomingMessage,
  publicUrl: string,
  httpsPort: number | null,
): string {
  const known = new URL(publicUrl);
  const named = HOST.exec(incoming.headers.host ?? '')?.[1]?.toLowerCase();
  const host = named === undefined || named === 'invalid' ? known.hostname : named;
  const own = host === known.hostname;
  const port = own ? known.port : httpsPort === null || httpsPort === 443 ? '' : String(httpsPort);
  const path = (incoming.url ?? '/').replace(UNSAFE_IN_PATH, '');
  return `https://${host}${port === '' ? '' : `:${port}`}${path.startsWith('/') ? path : '/'}`;
}

const CHALLENGE = '/.well-known/acme-challenge/';

/** The answer to a challenge that is under way, or the 301. */
export async function answerPlainHttp(
  deps: Pick<ApiDeps, 'config' | 'limiter' | 'readClient' | 'trackingHosts'>,
  incoming: IncomingMessage,
  httpsPort: number | null,
): Promise<Response> {
  const path = incoming.url ?? '';
  const answer = path.startsWith(CHALLENGE)
    ? await deps.trackingHosts.answerOf(path.slice(CHALLENGE.length))
    : null;
  if (answer !== null)
    return new Response(answer, {
      headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' },
    });
  const rate = await deps.limiter.peek(`ip:${deps.readClient(incoming).address}`, 'anonymous');
  return new Response(null, {
    status: 301,
    headers: {
      location: httpsLocation(incoming, deps.config.PUBLIC_URL, httpsPort),
      'x-request-id': toId('req', newUuid()),
      'x-ratelimit-limit': String(rate.limit),
      'x-ratelimit-remaining': String(rate.remaining),
      'x-ratelimit-reset': String(rate.resetAt),
      'cache-control': 'no-store',
      connection: 'close',
    },
  });
}
