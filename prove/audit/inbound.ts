// Mail that inbound answered with 250 is at the customer's webhook or in a mailbox, once, byte for byte.

import type { Asked } from './asked.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import { meetsPostgres, overlaps, stops } from './fault.ts';
import type { Finding } from './finding.ts';

/** A copy at the customer's. */
interface Copy {
  message: string;
  sha256: string;
  t: number;
}

const RECORDED_MS = 3_000; // an endpoint's answer is recorded with the next batch

/** Each 250 has its bytes at the webhook or in the mailbox, once. */
export function checkInbound(evidence: Evidence): Finding[] {
  const copies = new Map<string, Copy[]>();
  for (const { recipient, message, sha256, status, t } of evidence.webhooks)
    if (status < 300) addTo(copies, recipient, { message, sha256, t });
  for (const { recipient, message, sha256, t } of evidence.mailbox)
    addTo(copies, recipient, { message, sha256, t });
  const offered = new Map<string, Asked[]>();
  for (const one of evidence.asked)
    if (one.request.via === 'inbound') for (const to of one.request.recipients) addTo(offered, to, one);
  const recipients = new Set([...offered.keys(), ...copies.keys()]);
  const isWhole = evidence.phases.some(({ phase }) => phase === 'end'); // mailboxes are read last
  return [
    ...[...recipients].flatMap((to) => check(to, offered.get(to) ?? [], copies.get(to) ?? [], isWhole)),
    ...unsigned(evidence),
    ...postedAgain(evidence),
  ];
}

function check(about: string, offered: Asked[], copies: Copy[], isWhole: boolean): Finding[] {
  const finding = (what: string): Finding => ({ rule: 'inbound', about, what, t: copies.at(-1)?.t ?? null });
  const taken = offered.filter(({ answer }) => answer?.outcome === 'taken');
  const maybe = offered.filter(({ answer }) => !answer || answer.outcome === 'unknown');
  const bytes = new Set([...taken, ...maybe].map(({ request }) => request.sha256));
  const messages = new Set(copies.map(({ message }) => message));
  const wrong = copies.filter(({ sha256 }) => !bytes.has(sha256));
  if (wrong.length > 0)
    return [finding(`${wrong.length} copies have other bytes than any mail that was accepted`)];
  const arrived = new Set(copies.map(({ sha256 }) => sha256));
  const lost = taken.filter(({ request }) => !arrived.has(request.sha256)).length;
  if (isWhole && (lost > 0 || messages.size < taken.length))
    return [
      finding(
        `${Math.max(lost, taken.length - messages.size)} of ${taken.length} mails answered with 250 arrived nowhere`,
      ),
    ];
  if (messages.size > taken.length + maybe.length)
    return [finding(`${messages.size} mails arrived of ${taken.length + maybe.length} that were offered`)];
  return [];
}

function unsigned({ webhooks }: Evidence): Finding[] {
  return webhooks
    .filter(({ signed }) => !signed)
    .map(({ recipient, delivery, t }) => ({
      rule: 'inbound',
      about: recipient,
      what: `${delivery} came with a bad signature`,
      t,
    }));
}

// After the endpoint said 2xx it hears no more of a delivery, but for a fault that may have eaten the answer.
function postedAgain({ webhooks, faults }: Evidence): Finding[] {
  const accepted = new Map<string, number>();
  return webhooks.flatMap(({ delivery, recipient, status, t }): Finding[] => {
    const first = accepted.get(delivery);
    if (status < 300 && first === undefined) accepted.set(delivery, t);
    if (first === undefined) return [];
    const explained = faults.some(
      (fault) =>
        overlaps(fault, first - RECORDED_MS, first + RECORDED_MS) &&
        (meetsPostgres(fault) || stops(fault, 'inbound', null)),
    );
    return explained
      ? []
      : [
          {
            rule: 'inbound',
            about: recipient,
            what: `${delivery} was posted again after 2xx without a fault there`,
            t,
          },
        ];
  });
}
