// Requests that make what a run needs, before it begins.

import { sleep } from '../../core/base/clock.ts';
import type { Stack } from '../stack/stack.ts';
import type { Http, HttpAsk } from './http.ts';
import { freshKey } from './rest.ts';

const SETUP_TRIES = 40;
const SETUP_PAUSE_MS = 1_500;

/** Asks the public API while the run is set up; throws when it cannot be. */
export type Setup = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => Promise<T>;

/** No fault is there yet; a machine with much to do may be late, so that a request is repeated with its key for a while. */
export function createSetup(
  { stack, http }: { stack: Pick<Stack, 'apis'>; http: Http },
  token: string,
): Setup {
  return async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
    const headers = { 'idempotency-key': freshKey() };
    const ask: HttpAsk = {
      method,
      url: `${stack.apis[0]!.origin}/api/v1${path}`,
      token,
      headers,
      timeoutMs: 60_000,
    };
    if (body !== undefined) ask.body = JSON.stringify(body);
    for (let tries = 1; ; tries++) {
      const answer = await http(ask);
      if ('status' in answer && answer.status < 300) return (answer.json as { data: T }).data;
      const problem = 'reason' in answer ? answer.reason : `${answer.status} ${answer.body.toString()}`;
      const isLater = 'reason' in answer || [409, 429, 503].includes(answer.status);
      if (!isLater || tries === SETUP_TRIES) throw new Error(`${method} ${path}: ${problem}`);
      await sleep(SETUP_PAUSE_MS);
    }
  };
}
