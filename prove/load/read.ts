// Reads over the public API, as somebody does who waits until it works.

import { setTimeout as wait } from 'node:timers/promises';

import type { Http, HttpAnswer } from './http.ts';

/** Reads a path with one of several tokens after the other. */
export interface Reader {
  /** The `data` of a 2xx, or null when the signal aborted before. Other answers than 429 and 5xx are errors. */
  get<T>(path: string): Promise<T | null>;
  /** The bytes of one. */
  bytes(path: string): Promise<Buffer | null>;
}

const PAUSE_MS = 500;

/** A reader for one tenant, or for an operator. */
export function createReader(http: Http, origins: string[], tokens: string[], signal: AbortSignal): Reader {
  let asked = 0;
  async function ask(path: string): Promise<HttpAnswer | null> {
    while (!signal.aborted) {
      const url = `${origins[asked % origins.length]}/api/v1${path}`;
      const answer = await http({
        method: 'GET',
        url,
        token: tokens[asked % tokens.length]!,
        timeoutMs: 40_000,
      });
      asked += 1;
      if ('reason' in answer || answer.status >= 500 || answer.status === 429) {
        await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
      } else if (answer.status < 300) return answer;
      else throw new Error(`GET ${path}: ${answer.status} ${answer.body.toString()}`);
    }
    return null;
  }
  return {
    get: async <T>(path: string) => ((await ask(path))?.json as { data: T } | undefined)?.data ?? null,
    bytes: async (path) => (await ask(path))?.body ?? null,
  };
}

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** All items of a list, page by page; `path` has a query already. */
export async function* listAll<T>(reader: Reader, path: string): AsyncGenerator<T> {
  for (let after = ''; ;) {
    const page = await reader.get<Page<T>>(`${path}&limit=100${after}`);
    if (page === null) return;
    yield* page.items;
    if (page.next_cursor === null) return;
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}
