// What one client may hold of an api process, counted over its listeners for HTTPS and HTTP.

import type { IncomingMessage } from 'node:http';

import type { Config } from '../core/base/config.ts';
import { proxyRanges, type ReadClient } from './client-address.ts';
import { createConnectionLimits, type ClosedConnection, type ConnectionLimits } from './connection-limits.ts';
import {
  createResponseLimits,
  RESPONSE_LIMITS,
  type CutResponse,
  type ResponseLimits,
} from './response-limits.ts';

/** The limits, and who is counted. */
export interface ClientLimits {
  connections: ConnectionLimits;
  responses: ResponseLimits;
  /** The client of a request, behind trusted proxies. */
  addressOf(incoming: IncomingMessage): string;
}

const MAX_CONNECTIONS = 10_000; // each costs about 50 kB with TLS

/** Makes the limits of an api process. `onClosed` is called for each connection and response that they close. */
export function createClientLimits(
  config: Pick<Config, 'API_CONNECTIONS_PER_ADDRESS' | 'TRUSTED_PROXIES'>,
  readClient: ReadClient,
  onClosed?: (why: ClosedConnection | CutResponse) => void,
): ClientLimits {
  return {
    connections: createConnectionLimits({
      perAddress: config.API_CONNECTIONS_PER_ADDRESS,
      total: MAX_CONNECTIONS,
      exempt: proxyRanges(config.TRUSTED_PROXIES),
      onClosed,
    }),
    responses: createResponseLimits({ ...RESPONSE_LIMITS, onCut: onClosed }),
    addressOf: (incoming) => readClient(incoming).address,
  };
}
