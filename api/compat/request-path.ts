// Paths as other services' clients build them. Some end in a slash, some have two in a row, some are in capitals, and some
// clients keep only the host of their base URL: COMPAT_HOSTS gives each service a host name with its API at the root.

import { getPath } from 'hono/utils/url';

import type { Config } from '../../core/base/config.ts';
import type { ApiEnv } from '../exchange.ts';
import { HOST } from '../https-redirect.ts';
import { SERVICES } from './services.ts';

const COMPAT = /^\/+compat\/+([^/]+)/i;

/** Returns the path that a request is routed by: below /compat as the routes write it, elsewhere as it was sent. */
export type RequestPath = (request: Request, env: Pick<ApiEnv['Bindings'], 'incoming'>) => string;

/** Makes it. */
export function createRequestPath({ COMPAT_HOSTS }: Pick<Config, 'COMPAT_HOSTS'>): RequestPath {
  const services = new Map(SERVICES.map((service) => [service.name as string, wordsOf(service)]));
  const nameOfHost = new Map(Object.entries(COMPAT_HOSTS).map(([name, host]) => [host, name]));
  return (request, { incoming }) => {
    const path = getPath(request);
    const named = COMPAT.exec(path);
    const host = HOST.exec(incoming.headers.host ?? '')?.[1]?.toLowerCase() ?? '';
    const name = named ? named[1]!.toLowerCase() : nameOfHost.get(host);
    const words = name === undefined ? undefined : services.get(name);
    if (words === undefined) return path;
    const segments = (named ? path.slice(named[0].length) : path).split('/').filter((one) => one !== '');
    return ['/compat', name, ...segments.map((one) => words.get(one.toLowerCase()) ?? one)].join('/');
  };
}

// The fixed segments of a service's routes, by their lower case. Ids and addresses keep their letters.
function wordsOf({ routes }: (typeof SERVICES)[number]): ReadonlyMap<string, string> {
  const segments = routes.flatMap(({ path }) => path.split('/')).filter((one) => !one.startsWith('{'));
  return new Map(segments.map((one) => [one.toLowerCase(), one]));
}
