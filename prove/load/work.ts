// One piece of work that a client wants done, and what it does until it is: asks, and repeats as the documents say.

import { setTimeout as wait } from 'node:timers/promises';

import type { AnswerGot, RequestMade } from '../facts/requests.ts';
import type { Journal } from '../journal.ts';
import { canonical } from '../spelling.ts';

/** What a client understood of an answer. */
export type Answer = Omit<AnswerGot, 'kind' | 'request' | 'via'>;

/** A request that can be made at any of some endpoints. */
export interface Work extends Omit<RequestMade, 'kind' | 'request' | 'to'> {
  /** Addresses (host:port) where it can be asked for. */
  endpoints: string[];
  /** Asks at one of them, by its place. Never rejects. */
  ask(endpoint: number): Promise<Answer>;
}

/** Makes the requests of a run, each with its two entries in the journal. */
export interface Client {
  /**
   * Asks at one endpoint after the other until there is a final answer. Without a key or an id of its own a request is
   * repeated only after an answer that says that nothing was stored.
   */
  perform(work: Work): Promise<Answer>;
}

/** What a client needs. */
interface ClientDeps {
  journal: Journal;
  prefix: string;
  random: () => number;
  storeMs: () => number;
}

const FIRST_DELAY_MS = 500; // as our clients do: sdk/typescript/src/retry.ts
const TRIES = 5;
const KEY_GOOD_MS = 3_600_000; // a key is kept for 24 hours, and the calendar may jump over 22 while a request is under way
const LONGEST_WAIT_MS = 10_000; // a client of this run rather fails than waits for a minute

/** Makes a client, whose requests are named by its prefix and a number. `random` spreads the repetitions, `storeMs` is the time of the store's calendar. */
export function createClient({ journal, prefix, random, storeMs }: ClientDeps): Client {
  let requests = 0;
  let works = 0;

  const once = async (work: Work, endpoint: number): Promise<Answer> => {
    const request = `${prefix}${++requests}`;
    const { endpoints, ask, ...made } = work;
    journal.append({ kind: 'request', request, ...made, to: endpoints[endpoint]! });
    const said = await ask(endpoint);
    // As the rules compare addresses, however the request wrote them.
    const answer = {
      ...said,
      taken: said.taken.map((one) => ({ ...one, recipient: canonical(one.recipient) })),
    };
    journal.append({ kind: 'answer', request, via: work.via, ...answer });
    return answer;
  };

  return {
    perform: async (work) => {
      const first = works++;
      const keyUntil = storeMs() + KEY_GOOD_MS;
      for (let tried = 0; ; tried++) {
        const answer = await once(work, (first + tried) % work.endpoints.length);
        if (tried + 1 >= TRIES || !mayRepeat(work, answer)) return answer;
        const backoff = FIRST_DELAY_MS * 2 ** tried * (0.5 + random() / 2);
        const ms = answer.retryAfterSeconds === null ? backoff : answer.retryAfterSeconds * 1_000;
        if (ms > LONGEST_WAIT_MS) return answer;
        await wait(ms);
        if (storeMs() > keyUntil) return answer;
      }
    },
  };
}

const LATER = ['rate_limited', 'unavailable', 'idempotency_in_progress', 'not connected'];

function mayRepeat(work: Work, { outcome, error, status }: Answer): boolean {
  if (outcome === 'taken') return false;
  // Mail servers come again after a broken connection, and so bring a message twice.
  if (outcome === 'unknown') return work.once !== null || work.via === 'inbound';
  const isSmtp = work.via === 'submission' || work.via === 'inbound';
  return isSmtp ? status === 0 || (status >= 400 && status < 500) : LATER.includes(error ?? '');
}

const NOTHING: Answer = {
  outcome: 'unknown',
  status: 0,
  error: null,
  taken: [],
  failed: [],
  replayed: false,
  retryAfterSeconds: null,
  campaign: null,
  quota: null,
  rate: null,
};

/** An answer of 2xx. */
export function taken(status: number, more: Partial<Answer>): Answer {
  return { ...NOTHING, outcome: 'taken', status, ...more };
}

/**
 * An answer after which nothing was stored; but a key that is in use may be in use by this very request, at another sender.
 */
export function refused(status: number, error: string, more: Partial<Answer> = {}): Answer {
  if (error === 'idempotency_in_progress') return unknown(status, error, more);
  return { ...NOTHING, outcome: 'refused', status, error, ...more };
}

/** No answer, or one after which something may have been stored. */
export function unknown(status: number, error: string, more: Partial<Answer> = {}): Answer {
  return { ...NOTHING, outcome: 'unknown', status, error, ...more };
}

/** A connection that was never made: nothing was asked. */
export function notConnected(): Answer {
  return refused(0, 'not connected');
}
