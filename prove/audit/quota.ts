// The quota of a tenant's UTC month counts accepted sends (queued or deferred), each once, and is never passed. Mail whose
// answer nobody got, and mail of campaigns, is counted by what the API lists; dropped mail among it may count or not.

import type { QuotaRead } from '../journal.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

/** What the API says is used is what was accepted. */
export function checkQuota(evidence: Evidence): Finding[] {
  const read = evidence.phases.find(({ phase }) => phase === 'read');
  const atEnd = read ? evidence.quotas.filter(({ asked }) => asked >= read.t) : [];
  return [...atEnd.flatMap((quota) => counted(evidence, quota)), ...evidence.quotas.flatMap(passed)];
}

function passed({ tenant, used, cap, t }: QuotaRead & { t: number }): Finding[] {
  if (used <= cap) return [];
  return [{ rule: 'quota', about: tenant, what: `${used} sends are counted, over the quota of ${cap}`, t }];
}

function counted(evidence: Evidence, { tenant, used, resetsAt, t }: QuotaRead & { t: number }): Finding[] {
  const droppedAtOnce = new Set<string>();
  const countedAtOnce = new Set<string>();
  for (const { answer } of evidence.asked)
    for (const { id, status } of answer?.taken ?? [])
      (status === 'dropped' ? droppedAtOnce : countedAtOnce).add(id);
  let least = 0;
  let most = 0;
  for (const message of evidence.messages.values()) {
    if (message.tenant !== tenant || monthAfter(message.createdAt) !== Date.parse(resetsAt)) continue;
    if (droppedAtOnce.has(message.id)) continue;
    most += 1;
    if (message.status !== 'dropped' || countedAtOnce.has(message.id)) least += 1;
  }
  if (used >= least && used <= most) return [];
  const range = least === most ? `${least}` : `${least} to ${most}`;
  return [
    {
      rule: 'quota',
      about: tenant,
      what: `${used} sends are counted in the month that ends ${resetsAt}, and ${range} were accepted`,
      t,
    },
  ];
}

function monthAfter(time: string): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
