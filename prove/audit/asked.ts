// Requests with their answers, and which of them are the same piece of work.

import type { AnswerGot, RequestMade } from '../facts/requests.ts';
import { addTo } from './by-key.ts';
import type { StoreClock } from './store-clock.ts';

/** A request and its answer; null while none came. */
export interface Asked {
  request: RequestMade & { t: number };
  /** The same for requests with one key, as long as an answer is kept: 24 hours by the store's clock. */
  work: string;
  answer: (AnswerGot & { t: number }) | null;
}

/** Contract section 2: an answer is repeated for 24 hours. */
export const KEPT_MS = 86_400_000;

/** Puts requests into `asked`, and by recipient into `askedBy`. */
export function createRequestReader(clock: StoreClock, asked: Asked[], askedBy: Map<string, Asked[]>) {
  const requests = new Map<string, Asked>();
  const works = new Map<string, number>(); // when the first request with a key was made, by the store's clock
  const workOf = ({ request, tenant, once, t }: Asked['request']) => {
    if (once === null) return request;
    const key = `${tenant} ${once}`;
    const now = clock.at(t);
    const since = works.get(key);
    if (since !== undefined && now < since + KEPT_MS) return `${key} ${since}`;
    works.set(key, now);
    return `${key} ${now}`;
  };
  return {
    addRequest(request: Asked['request']): void {
      const one: Asked = { request, work: workOf(request), answer: null };
      requests.set(request.request, one);
      asked.push(one);
      for (const recipient of new Set(request.recipients)) addTo(askedBy, recipient, one);
    },
    addAnswer(answer: AnswerGot & { t: number }): void {
      const one = requests.get(answer.request);
      if (one) one.answer = answer;
    },
  };
}
