// The quota of a tenant's UTC month counts accepted sends (queued or deferred), each once. It is never passed, and nothing
// is refused because of it while there is some left. What the API says of it is checked whenever it says so: in answers to
// sends, and where it is read.

import type { Asked } from './asked.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { countMonths, monthAfter, type MonthCounts } from './month-counts.ts';

const OVER_SMTP = /^4\.2\.2 /; // contract section 13: 452 4.2.2

/** What is used is what was accepted, up to the cap. */
export function checkQuota(evidence: Evidence): Finding[] {
  const read = evidence.phases.find(({ phase }) => phase === 'read');
  if (!read) return [];
  const counts = countMonths(evidence);
  const capOf = new Map(evidence.quotas.map(({ tenant, cap }) => [tenant, cap]));
  return [
    ...passed(counts, capOf),
    ...readings(evidence, read.t).flatMap((reading) => wronglyTold(counts, reading)),
    ...evidence.asked.flatMap((asked) => refusedBelow(evidence, counts, capOf, asked)),
  ];
}

function passed(counts: MonthCounts, capOf: Map<string, number>): Finding[] {
  return counts.keys().flatMap((key) => {
    const [tenant, month] = key.split(' ') as [string, string];
    const count = counts.atLeast(tenant, Number(month), null);
    if (count <= (capOf.get(tenant) ?? Infinity)) return [];
    return [
      finding(
        tenant,
        `${count} sends were accepted in a month, over the quota of ${capOf.get(tenant)}`,
        null,
      ),
    ];
  });
}

interface Reading {
  tenant: string;
  used: number;
  cap: number;
  /** Ends of the months that it may be about. */
  months: number[];
  asked: number;
  t: number;
  /** Read at the end, when everything that was accepted is there. */
  isLast: boolean;
}

function readings({ quotas, asked, clock }: Evidence, readFrom: number): Reading[] {
  const read = quotas.map(({ tenant, used, cap, resetsAt, asked: from, t }): Reading => {
    return { tenant, used, cap, months: [Date.parse(resetsAt)], asked: from, t, isLast: from >= readFrom };
  });
  const answers = asked.flatMap(({ request, answer }): Reading[] => {
    if (!answer?.quota || answer.replayed) return [];
    const months = [monthAfter(clock.at(request.t)), monthAfter(clock.at(answer.t))];
    return [
      { tenant: request.tenant, ...answer.quota, months, asked: request.t, t: answer.t, isLast: false },
    ];
  });
  return [...read, ...answers];
}

function wronglyTold(
  counts: MonthCounts,
  { tenant, used, cap, months, asked, t, isLast }: Reading,
): Finding[] {
  if (used > cap) return [finding(tenant, `${used} sends are counted, over the quota of ${cap}`, t)];
  const ranges = months.map((month) => ({
    least: counts.atLeast(tenant, month, isLast ? null : asked),
    most: counts.atMost(tenant, month, t),
  }));
  if (ranges.some(({ least, most }) => used >= least && used <= most)) return [];
  const { least, most } = ranges[0]!;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  const month = new Date(months[0]!).toISOString();
  return [
    finding(
      tenant,
      `${used} sends are counted in the month that ends ${month}, and ${range} were accepted`,
      t,
    ),
  ];
}

// A batch is refused as a whole when its first message does not fit; of several recipients of one message all must fit.
function refusedBelow(
  { clock }: Evidence,
  counts: MonthCounts,
  capOf: Map<string, number>,
  { request, answer }: Asked,
): Finding[] {
  const { tenant, via } = request;
  const cap = capOf.get(tenant);
  if (!answer || cap === undefined || !wasOverQuota(answer)) return [];
  const wanted = via === 'batch' ? 1 : request.recipients.length;
  const months = [monthAfter(clock.at(request.t)), monthAfter(clock.at(answer.t))];
  const most = Math.max(...months.map((month) => counts.atMost(tenant, month, answer.t)));
  if (most + wanted > cap) return [];
  return [
    finding(
      tenant,
      `refused ${wanted} over the quota of ${cap}, while at most ${most} were accepted`,
      answer.t,
    ),
  ];
}

function wasOverQuota({ error, failed }: NonNullable<Asked['answer']>): boolean {
  if (error === 'quota_exceeded' || OVER_SMTP.test(error ?? '')) return true;
  return failed.some((one) => one.error === 'quota_exceeded');
}

function finding(about: string, what: string, t: number | null): Finding {
  return { rule: 'quota', about, what, t };
}
