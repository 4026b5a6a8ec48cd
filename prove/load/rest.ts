// Work over REST v1.

import { randomUUID } from 'node:crypto';

import { MARK, sha256 } from '../content.ts';
import type { Taken, Via } from '../facts/requests.ts';
import type { Http, HttpAnswer, NoAnswer } from './http.ts';
import type { Letter } from './letter.ts';
import { notConnected, refused, taken, unknown, type Answer, type Work } from './work.ts';

/** What every piece of work over HTTPS has. */
export interface RestWork extends Pick<
  Work,
  'via' | 'tenant' | 'domain' | 'once' | 'recipients' | 'contents'
> {
  apiKey: { name: string; value: string };
}

interface Decision {
  id: string;
  status: string;
  reason: string | null;
  deferred_until: string | null;
  email?: string;
  recipients?: Decision[];
}

type Item = Decision | { error: string };

/** POST to a path of every api. */
export function restWork(
  { http, origins }: { http: Http; origins: string[] },
  work: RestWork,
  path: string,
  body: unknown,
): Work {
  const text = JSON.stringify(body);
  const { apiKey, ...rest } = work;
  const headers = work.once === null ? {} : { 'idempotency-key': work.once };
  return {
    ...rest,
    apiKey: apiKey.name,
    sha256: sha256(text),
    endpoints: origins.map((origin) => new URL(origin).host),
    ask: async (endpoint) => {
      const url = `${origins[endpoint]}/api/v1${path}`;
      const answer = await http({ method: 'POST', url, token: apiKey.value, body: text, headers });
      return read(work.via, work.recipients, answer);
    },
  };
}

/** A letter in the words of POST /transactional/send. */
export function sendBody(letter: Letter) {
  const { from, to, subject, text, html, attachment, mark } = letter;
  return {
    from,
    to: to.length === 1 ? to[0] : to,
    subject,
    text,
    ...(html !== null && { html }),
    ...(mark !== null && { headers: { [MARK]: mark } }),
    ...(attachment && {
      attachments: [
        {
          filename: attachment.filename,
          content: Buffer.from(attachment.content).toString('base64'),
          content_type: attachment.type,
        },
      ],
    }),
  };
}

/** A name that no other request of any run has. */
export function freshKey(): string {
  return randomUUID();
}

function read(via: Via, recipients: string[], answer: HttpAnswer | NoAnswer): Answer {
  if ('reason' in answer) return readNothing(answer);
  const { status, headers } = answer;
  const about = {
    retryAfterSeconds: number(headers['retry-after']),
    replayed: headers['idempotent-replayed'] === 'true',
    quota: pair(headers, 'x-quota-used', 'x-quota-cap', (used, cap) => ({ used, cap })),
    rate: pair(headers, 'x-ratelimit-limit', 'x-ratelimit-remaining', (limit, remaining) => ({
      limit,
      remaining,
      resetSeconds: number(headers['x-ratelimit-reset']) ?? 0,
    })),
  };
  const { data, error, message } = (answer.json ?? {}) as {
    data?: unknown;
    error?: string;
    message?: string;
  };
  if (status >= 300 || data === undefined) return failed(status, error ?? 'no JSON', message ?? '', about);
  return taken(status, { ...about, ...readTaken(via, recipients, data) });
}

// 503 names the key when the request may have been stored; of 500 nothing is promised.
function failed(status: number, error: string, message: string, about: Partial<Answer>): Answer {
  const mayBeStored = status >= 500 && (status !== 503 || message.includes('Idempotency-Key'));
  return mayBeStored ? unknown(status, error, about) : refused(status, error, about);
}

/** What no answer means. */
export function readNothing({ notConnected: never, reason }: NoAnswer): Answer {
  return never ? notConnected() : unknown(0, reason);
}

function readTaken(via: Via, recipients: string[], data: unknown): Partial<Answer> {
  switch (via) {
    case 'rest':
      return { taken: ofDecision(data as Decision, recipients) };
    case 'batch': {
      const { items } = data as { items: Item[] };
      return {
        taken: items.flatMap((item, i) => ('error' in item ? [] : ofDecision(item, [recipients[i]!]))),
        failed: items.flatMap((item, i) =>
          'error' in item ? [{ recipient: recipients[i]!, error: item.error }] : [],
        ),
      };
    }
    case 'campaign':
      return { campaign: (data as { id: string }).id };
    default:
      return {};
  }
}

function ofDecision(data: Decision, recipients: string[]): Taken[] {
  return (data.recipients ?? [data]).map((one, i) => ({
    id: one.id,
    recipient: recipients[i]!,
    status: one.status,
    reason: one.reason,
    deferredUntil: one.deferred_until,
  }));
}

function number(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null;
}

function pair<T>(
  headers: HttpAnswer['headers'],
  first: string,
  second: string,
  make: (a: number, b: number) => T,
): T | null {
  const [a, b] = [number(headers[first]), number(headers[second])];
  return a === null || b === null ? null : make(a, b);
}
