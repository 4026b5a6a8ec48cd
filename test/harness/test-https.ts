// A listener of the api in this process: HTTPS on a free port of loopback, with limits that a test may set.

import { createReadClient } from '../../api/client-address.ts';
import { createClientLimits, type ClientLimits } from '../../api/client-limits.ts';
import { startHttps, type Fetch, type ListeningServer } from '../../api/servers.ts';
import { SELF_SIGNED } from './certificate.ts';

/** Starts it. `limits` replaces some of what an api process has. */
export function startTestHttps(fetch: Fetch, limits: Partial<ClientLimits> = {}): Promise<ListeningServer> {
  const tls = { cert: Buffer.from(SELF_SIGNED.cert), key: Buffer.from(SELF_SIGNED.key) };
  const config = { API_CONNECTIONS_PER_ADDRESS: 200, TRUSTED_PROXIES: [] };
  const clients = { ...createClientLimits(config, createReadClient([])), ...limits };
  return startHttps(fetch, tls, { host: '127.0.0.1', port: 0 }, clients);
}
