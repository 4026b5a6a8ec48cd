// The rate limit of a key: never more than the limit in any 60 s, never a refusal while fewer than the limit fell into
// the last 61 s. A client knows a request to have been counted between its first byte and its answer, so each check uses
// the reading that favours Postrider. While Redis does not answer each api counts alone (api/rate-limit.ts), which allows
// more: seen from outside that is a fault of Redis, or an answer that took as long as an api waits for Redis.

import type { Asked, Evidence, FaultSpan } from './evidence.ts';
import { addTo } from './evidence.ts';
import { meetsRedis, overlaps } from './fault.ts';
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
  allowed: 'yes' | 'no' | 'unknown';
}

/** Both halves of the promise, for every key. */
export function checkRateLimit(evidence: Evidence): Finding[] {
  const byKey = new Map<string, Asked[]>();
  for (const one of evidence.asked) if (countsAsSend(one)) addTo(byKey, one.request.apiKey!, one);
  const redisFaults = evidence.faults.filter(meetsRedis);
  return [...byKey].flatMap(([key, requests]) => {
    const counted = requests.map(toCounted).filter(({ n }) => n > 0);
    return [...tooMany(key, counted, redisFaults), ...refusedBelow(key, counted)];
  });
}

function countsAsSend({ request: { via, apiKey } }: Asked): boolean {
  return apiKey !== null && (via === 'rest' || via === 'batch' || via === 'submission');
}

function toCounted({ request, answer }: Asked): Counted {
  const limited =
    answer?.error === 'rate_limited' || answer?.status === 429 || OVER_SMTP.test(answer?.error ?? '');
  const allowed = !answer || answer.outcome === 'unknown' ? 'unknown' : limited ? 'no' : 'yes';
  return { from: request.t, to: answer?.t ?? Infinity, n: request.recipients.length, allowed };
}

// Requests that began and were answered within one window were surely counted in it.
function tooMany(about: string, counted: Counted[], redisFaults: FaultSpan[]): Finding[] {
  const sure = counted.filter(({ allowed }) => allowed === 'yes').sort((a, b) => a.to - b.to);
  let first = 0;
  let sum = 0;
  const inside: Counted[] = [];
  for (const one of sure) {
    inside.push(one);
    sum += one.n;
    while (inside[first]!.to <= one.to - WINDOW_MS) sum -= inside[first++]!.n;
    const began = one.to - WINDOW_MS;
    const surely =
      sum <= LIMIT
        ? sum
        : inside.slice(first).reduce((total, { from, n }) => total + (from > began ? n : 0), 0);
    if (surely <= LIMIT || redisFaults.some((fault) => overlaps(fault, began, one.to))) continue;
    if (inside.slice(first).some(({ from, to }) => to - from >= REDIS_LIMIT_MS)) continue;
    return [
      {
        rule: 'rate-limit',
        about,
        what: `${surely} were allowed in 60 s, over the limit of ${LIMIT}`,
        t: one.to,
      },
    ];
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
