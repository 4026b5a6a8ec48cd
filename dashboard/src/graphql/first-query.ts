// What a page asks first, said by its own file (`export const firstQuery`), so that it can be asked before the page is shown.

import type { Client } from 'urql';

/** Asks; `params` are those of the page's path. The answer is found in the client's cache. */
export type FirstQuery = (
  client: Client,
  params: Readonly<Record<string, string | undefined>>,
) => PromiseLike<unknown>;

/** An answer that is there already is not asked for again. */
export const KNOWN_FIRST = { requestPolicy: 'cache-first' } as const;
