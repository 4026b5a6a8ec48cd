// Requests with one key are one piece of work: one of them does it, all get the same answer. How many messages they made
// is counted in unasked.ts.

import type { Asked, Evidence } from './evidence.ts';
import { addTo } from './evidence.ts';
import type { Finding } from './finding.ts';

/** All answers under one key name the same messages, and at most one of them was the first. */
export function checkIdempotency({ asked }: Evidence): Finding[] {
  const byKey = new Map<string, Asked[]>();
  for (const one of asked) if (one.request.once !== null) addTo(byKey, one.work, one);
  return [...byKey].flatMap(([key, requests]) => check(key.split(' ')[1]!, requests));
}

function check(key: string, requests: Asked[]): Finding[] {
  const taken = requests.filter(({ answer }) => answer?.outcome === 'taken');
  const effects = new Set(taken.map(({ answer }) => idsOf(answer!)));
  const bodies = new Set(taken.map(({ request }) => request.sha256));
  const t = taken.at(-1)?.answer?.t ?? null;
  const findings: Finding[] = [];
  if (effects.size > 1)
    findings.push({
      rule: 'idempotency',
      about: key,
      what: `was answered with different messages: ${[...effects].join(' and ')}`,
      t,
    });
  if (bodies.size > 1)
    findings.push({
      rule: 'idempotency',
      about: key,
      what: `was accepted for ${bodies.size} different bodies`,
      t,
    });
  return findings;
}

function idsOf({ taken, campaign }: NonNullable<Asked['answer']>): string {
  return (
    campaign ??
    taken
      .map(({ id }) => id)
      .sort()
      .join(',')
  );
}
