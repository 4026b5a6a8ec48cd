// Requests with one key are one piece of work: one of them does it, all get the same answer. How many messages they made
// is counted in unasked.ts.

import type { Asked } from './asked.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
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
  const firsts = taken.filter(
    ({ request, answer }) => saysReplayed(request) && hasEffect(answer!) && !answer!.replayed,
  ).length;
  const t = taken.at(-1)?.answer?.t ?? null;
  const findings: Finding[] = [];
  if (effects.size > 1)
    findings.push({
      rule: 'idempotency',
      about: key,
      what: `was answered with different messages: ${[...effects].join(' and ')}`,
      t,
    });
  if (firsts > 1)
    findings.push({
      rule: 'idempotency',
      about: key,
      what: `was answered ${firsts} times as if it were new`,
      t,
    });
  return findings;
}

// A reply of SMTP cannot say it, and a message id that the caller chose is no key.
function saysReplayed({ via, once }: Asked['request']): boolean {
  return via !== 'submission' && once?.startsWith('msg_') === false;
}

// A batch of which nothing was taken is refused as a whole: its answer is not kept, and the key is free for another try.
function hasEffect({ via, taken }: NonNullable<Asked['answer']>): boolean {
  return via !== 'batch' || taken.length > 0;
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
