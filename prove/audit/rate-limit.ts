// The rate limit of a key: never more than the limit in any 60 s, never a refusal while fewer than the limit fell into
// the last 61 s. A client knows a request to have been counted between its first byte and its answer, so each check uses
// the reading that favours Postrider. An api that does not hear from Redis counts alone (api/rate-limit.ts): each such one
// allows the limit once more, and once more again when it was killed and has forgotten what it allowed. From outside that
// is a fault of Redis, or an answer that took as long as an api waits for Redis.

import type { Asked } from './asked.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import { meetsRedis, overlaps, stops } from './fault.ts';
import type { Finding } from './finding.ts';

const LIMIT = 600; // recipients a minute of one key: class `send`
const OVER_SMTP = /^4\.7\.1 More than \d+ requests/; // a domain that is paused is 4.7.1 too
const WINDOW_MS = 60_000;
const REDIS_LIMIT_MS = 500; // core/clients/redis.ts
const REFUSED_WINDOW_MS = 61_000;

interface Counted {
  from: number;
  to: number;
  n: number;
  /** The address that was asked. */
  api: string;
  allowed: 'yes' | 'no' | 'unknown';
}

/** Both halves of the promise, for every key. */
export function checkRateLimit(evidence: Evidence): Finding[] {
  const byKey = new Map<string, Asked[]>();
  for (const one of evidence.asked) if (countsAsSend(one)) addTo(byKey, one.request.apiKey!, one);
  const apis = new Set(
    evidence.asked.filter(({ request }) => request.via === 'rest').map(({ request }) => request.to),
  );
  return [...byKey].flatMap(([key, requests]) => {
    const counted = requests.flatMap(toCounted);
    return [
      ...tooMany(key, counted, (window) => boundOf(evidence, apis.size, window)),
      ...refusedBelow(key, counted),
    ];
  });
}

function countsAsSend({ request: { via, apiKey } }: Asked): boolean {
  return apiKey !== null && (via === 'rest' || via === 'batch' || via === 'submission');
}

function toCounted({ request, answer }: Asked): Counted[] {
  const n = request.recipients.length;
  const wasNeverAsked = answer?.status === 0 && answer.error === 'not connected';
  if (n === 0 || wasNeverAsked) return [];
  const limited =
    answer?.error === 'rate_limited' || answer?.status === 429 || OVER_SMTP.test(answer?.error ?? '');
  const allowed = limited ? 'no' : answer?.outcome === 'taken' ? 'yes' : 'unknown';
  return [{ from: request.t, to: answer?.t ?? Infinity, n, api: request.to, allowed }];
}

// What may be allowed in a window.
function boundOf({ faults }: Evidence, apis: number, window: Counted[]): number {
  const began = window.at(-1)!.to - WINDOW_MS;
  const inWindow = faults.filter((fault) => overlaps(fault, began, window.at(-1)!.to));
  const slow = new Set(window.filter(({ from, to }) => to - from >= REDIS_LIMIT_MS).map(({ api }) => api));
  const alone = inWindow.some(meetsRedis) ? apis : slow.size;
  if (alone === 0) return LIMIT;
  const killed = inWindow.filter((fault) => fault.name === 'kill' && stops(fault, 'api', null));
  const forgot = killed.reduce((sum, { target }) => sum + (target === 'api' ? apis : 1), 0);
  return LIMIT * (Math.min(apis, 1 + alone) + forgot);
}

// Requests that began and were answered within one window were surely counted in it.
function tooMany(about: string, counted: Counted[], bound: (window: Counted[]) => number): Finding[] {
  const sure = counted.filter(({ allowed }) => allowed === 'yes').sort((a, b) => a.to - b.to);
  let first = 0;
  let sum = 0;
  for (const [last, one] of sure.entries()) {
    sum += one.n;
    while (sure[first]!.to <= one.to - WINDOW_MS) sum -= sure[first++]!.n;
    if (sum <= LIMIT) continue;
    const window = sure.slice(first, last + 1);
    const surely = window.reduce((total, { from, n }) => total + (from > one.to - WINDOW_MS ? n : 0), 0);
    if (surely <= LIMIT) continue;
    const most = bound(window);
    if (surely <= most) continue;
    const what = `${surely} were allowed in 60 s, over the limit of ${most}`;
    return [{ rule: 'rate-limit', about, what, t: one.to }];
  }
  return [];
}

function refusedBelow(about: string, counted: Counted[]): Finding[] {
  const refused = counted.filter(({ allowed }) => allowed === 'no');
  const others = counted.filter(({ allowed }) => allowed !== 'no').sort((a, b) => a.from - b.from);
  return refused.flatMap(({ from, to, n }): Finding[] => {
    let sum = 0;
    for (const other of others) {
      if (other.from >= to) break;
      if (other.to > from - REFUSED_WINDOW_MS) sum += other.n;
    }
    if (sum + n > LIMIT) return [];
    return [
      {
        rule: 'rate-limit',
        about,
        what: `refused ${n} while at most ${sum} of ${LIMIT} were counted in 61 s`,
        t: to,
      },
    ];
  });
}
