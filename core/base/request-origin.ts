// Where the request that is being served came from, for the audit log. It travels with the asynchronous work of the
// request instead of through every function between the API and the row.

import { AsyncLocalStorage } from 'node:async_hooks';

const origins = new AsyncLocalStorage<string>();

/** Runs the work of a request from a client address, as the rate limits count it. */
export function withOrigin<T>(ip: string, work: () => T): T {
  return origins.run(ip, work);
}

/** The client address of the request that is being served; null for work that no request asked for. */
export function originIp(): string | null {
  return origins.getStore() ?? null;
}
