// How a message stands at the end is believed only when something else shows it: a receiver's reply, a suppression that
// was asked for, or its age.

import type { MessageRead } from '../facts/reads.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { saidFirstDigit, saidYes } from './reply.ts';

type Message = MessageRead & { t: number };

const HOUR_MS = 3_600_000;
const MAX_AGE_MS = 96 * HOUR_MS; // contract section 4: MESSAGE_MAX_AGE_HOURS
const LAST_GAP_MS = 2 * HOUR_MS; // a retry that would come after the age limit is not waited for
const LONGEST_WAIT_MS = 24 * HOUR_MS; // for the cap until the next midnight; retries come sooner
const LONGEST_GAP_MS = (16 / 3) * HOUR_MS; // between retries: four hours and a third
const LATE_MS = 15_000; // a time that has just come: the release and the delivery poll every second, under load

/** What is wrong with the ends of all messages. */
export function checkEnds(evidence: Evidence): Finding[] {
  const all = [...evidence.messages.values()];
  return [
    ...undelivered(evidence, all),
    ...all.flatMap((message) =>
      whyWrong(evidence, message).map((why): Finding => {
        const { id, recipient, t } = message;
        return { rule: 'accepted', about: recipient, what: `${id} ${why}`, t };
      }),
    ),
  ];
}

// As many messages with a 2xx as the API says are delivered; a repeat has the Message-ID of its message.
function undelivered({ wire }: Evidence, messages: Message[]): Finding[] {
  const byRecipient = new Map<string, Message[]>();
  for (const one of messages) if (one.status === 'delivered') addTo(byRecipient, one.recipient, one);
  return [...byRecipient].flatMap(([recipient, delivered]): Finding[] => {
    const yes = (wire.get(recipient) ?? []).filter(({ dot, verdict }) => dot !== null && saidYes(verdict));
    const seen = new Set(yes.map(({ dot }) => dot!.messageId)).size;
    if (seen >= delivered.length) return [];
    const what = `${delivered.map(({ id }) => id).join(', ')}: delivered, and receivers said 2xx to ${seen} of ${delivered.length}`;
    return [{ rule: 'accepted', about: recipient, what, t: delivered.at(-1)!.t }];
  });
}

function whyWrong(evidence: Evidence, message: Message): string[] {
  const { status, recipient, createdAt, t } = message;
  switch (status) {
    case 'delivered':
      return [];
    case 'bounced':
      return saidOnWire(evidence, recipient, '5') ? [] : ['bounced, and no receiver said 5xx to it'];
    case 'expired': {
      const age = evidence.clock.at(t) - Date.parse(createdAt);
      return age >= MAX_AGE_MS - LAST_GAP_MS ? [] : [`expired after ${Math.round(age / HOUR_MS)} h`];
    }
    case 'dropped':
      return dropped(evidence, message);
    case 'cancelled':
      return ['is cancelled, and nobody asked for that'];
    case 'deferred':
      return waits(evidence, message);
    default:
      return [`is still ${status} when the run had settled`];
  }
}

// Suppressed by a request, or by a bounce.
function dropped(evidence: Evidence, { tenant, recipient, reason }: Message): string[] {
  if (reason !== 'suppressed') return [`was dropped (${reason ?? 'without a reason'})`];
  const asked = (evidence.askedBy.get(recipient) ?? []).some(
    ({ request, answer }) =>
      request.via === 'suppression' && request.tenant === tenant && answer?.outcome !== 'refused',
  );
  if (asked || saidOnWire(evidence, recipient, '5')) return [];
  return ['was dropped as suppressed, and nobody had suppressed the recipient'];
}

// The ramp paused its domain, which somebody has to resume.
function isPaused({ caps }: Evidence, { deferReason, tenant, domain }: Message): boolean {
  const last = caps.findLast((cap) => cap.tenant === tenant && cap.domain === domain);
  return deferReason === 'domain_paused' && last?.state === 'paused';
}

function waits(evidence: Evidence, message: Message): string[] {
  const { deferReason, reason, deferredUntil, recipient, t } = message;
  const why = deferReason ?? reason;
  if (why === null) return ['waits without a reason'];
  if (deferredUntil === null) return isPaused(evidence, message) ? [] : [`waits (${why}) without a time`];
  const until = Date.parse(deferredUntil);
  const ahead = until - evidence.clock.at(t);
  if (ahead < -LATE_MS)
    return [`waits (${why}) for ${deferredUntil}, which was ${Math.round(-ahead / 1000)} s ago`];
  if (ahead > LONGEST_WAIT_MS + LATE_MS)
    return [`waits (${why}) for ${deferredUntil}, more than a day ahead`];
  if (why !== 'remote_4xx') return [];
  if (!saidOnWire(evidence, recipient, '4')) return ['waits because of a 4xx that no receiver said'];
  const limit = firstTry(evidence, message) + MAX_AGE_MS + untriedDays(evidence, message) * 24 * HOUR_MS;
  // A sender hears of the calendar's jump with its next heartbeat, and may time one more retry by the hour before.
  return until <= limit + LONGEST_GAP_MS ? [] : [`waits (${why}) for ${deferredUntil}, beyond its age limit`];
}

function firstTry({ wire, clock }: Evidence, { recipient, t }: Message): number {
  const first = wire.get(recipient)![0]!;
  return clock.at(first.rcpt?.t ?? first.dataAt ?? t);
}

// Undelivered mail needs an admission of each day. A day on which it got none does not count towards its age.
function untriedDays({ wire, clock }: Evidence, { recipient }: Message): number {
  const days = wire.get(recipient)!.map(({ rcpt, dataAt }) => clock.day(rcpt?.t ?? dataAt ?? 0));
  const [first, last] = [days[0]!, days.at(-1)!];
  return (Date.parse(last) - Date.parse(first)) / (24 * HOUR_MS) + 1 - new Set(days).size;
}

function saidOnWire({ wire }: Evidence, recipient: string, digit: '4' | '5'): boolean {
  return (wire.get(recipient) ?? []).some((one) => saidFirstDigit(one, digit));
}
