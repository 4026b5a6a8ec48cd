// Older mail is admitted before newer mail of its domain: nobody is admitted on a day on which older mail that has not been tried
// is told to wait for the next one. All mail but campaigns is of one stream here, and these have domains to themselves.

import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

interface Admitted {
  id: string;
  /** Of the request and of its answer, in the journal. */
  from: number;
  to: number;
}

/** One finding for a message that was passed. */
export function checkOrder(evidence: Evidence): Finding[] {
  const { clock, waiting, wire } = evidence;
  const { admitted, answeredAt } = readAnswers(evidence);
  return [...waiting].flatMap(([id, reads]): Finding[] => {
    const since = answeredAt.get(id);
    if (since === undefined) return [];
    const tried = wire.get(reads[0]!.recipient)?.[0];
    const triedAt = tried?.rcpt?.t ?? tried?.dataAt ?? Infinity;
    for (const { domain, reason, until, asked, t } of reads) {
      const day = clock.sureDay(asked);
      if (day === null || clock.sureDay(t) !== day) continue; // at midnight all that is undelivered waits a moment
      if (reason !== 'warmup_cap' || until === null || until.slice(0, 10) <= day) continue;
      const newer = (admitted.get(`${domain} ${day}`) ?? []).find(
        ({ from, to }) => from > since && to < Math.min(asked, triedAt),
      );
      if (!newer) continue;
      const what = `waits until ${until}, and ${newer.id}, which was asked for ${Math.round(newer.from - since)} ms after it was accepted, was admitted before`;
      return [{ rule: 'order', about: `${id} of ${domain}`, what, t: newer.to }];
    }
    return [];
  });
}

// Who was admitted at once, by domain and day, and when each message was accepted.
function readAnswers({ asked, clock }: Evidence) {
  const admitted = new Map<string, Admitted[]>();
  const answeredAt = new Map<string, number>();
  for (const { request, answer } of asked) {
    if (answer?.outcome !== 'taken') continue;
    const day = clock.sureDay(request.t);
    for (const { id, status } of answer.taken) {
      if (id === '' || answeredAt.has(id)) continue; // a repetition, or SMTP, which names no message
      answeredAt.set(id, answer.t);
      if (request.via === 'submission' && answer.taken.length > 1) continue; // its reply does not say which of them
      if (status === 'queued' && !answer.replayed && day !== null && day === clock.sureDay(answer.t))
        addTo(admitted, `${request.domain} ${day}`, { id, from: request.t, to: answer.t });
    }
  }
  return { admitted, answeredAt };
}
