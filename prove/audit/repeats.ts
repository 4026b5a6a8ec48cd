// A receiver gets a message once. It gets it again only when its first answer may not have been recorded: a fault of the
// sender or of PostgreSQL between DATA and the record of the verdict, or a connection that broke there. All attempts of a
// message have one Message-ID, so that the receiver can recognise a repeat.

import type { Evidence, FaultSpan, Transaction } from './evidence.ts';
import { addTo } from './evidence.ts';
import { meetsPostgres, overlaps, stops } from './fault.ts';
import type { Finding } from './finding.ts';
import { saidLater } from './reply.ts';

const RECORDED_MS = 3_000; // a verdict is recorded with the next batch: 10 ms when idle, up to this under load

/** Every repeat has a fault that explains it, and the same Message-ID. */
export function checkRepeats(evidence: Evidence): Finding[] {
  return [...evidence.wire].flatMap(([recipient, transactions]) => {
    const whole = transactions.filter(({ dot }) => dot !== null);
    const byMessage = new Map<string | null, Transaction[]>();
    for (const one of whole) addTo(byMessage, one.dot!.messageId, one);
    return [
      ...otherIds(evidence, recipient, byMessage),
      ...[...byMessage.values()].flatMap((attempts) => unexplained(evidence, recipient, attempts)),
    ];
  });
}

// Two requests for one recipient are two messages; one message has one Message-ID.
function otherIds(
  { messagesTo, askedBy }: Evidence,
  recipient: string,
  byMessage: Map<string | null, Transaction[]>,
): Finding[] {
  const messages = messagesTo.get(recipient)?.length ?? askedBy.get(recipient)?.length ?? 1;
  if (byMessage.size <= Math.max(1, messages)) return [];
  const what = `receivers saw ${byMessage.size} Message-IDs of ${messages} message(s): ${[...byMessage.keys()].join(', ')}`;
  return [{ rule: 'repeats', about: recipient, what, t: [...byMessage.values()].at(-1)![0]!.dot!.t }];
}

function unexplained({ faults }: Evidence, recipient: string, attempts: Transaction[]): Finding[] {
  return attempts.slice(1).flatMap((again, i): Finding[] => {
    const before = attempts[i]!;
    const { verdict } = before;
    if (saidLater(verdict)) return [];
    if (verdict === null || !verdict.written) return []; // the connection broke before the verdict
    if (faults.some((fault) => explains(fault, before))) return [];
    const said = `${verdict.reply.slice(0, 3)} to ${before.sender ?? 'a sender'} at ${Math.round(verdict.t)} ms`;
    const what = `sent again by ${again.sender ?? 'a sender'} at ${Math.round(again.dot!.t)} ms, after ${said} without a fault there`;
    return [{ rule: 'repeats', about: recipient, what, t: again.dot!.t }];
  });
}

function explains(fault: FaultSpan, { sender, dataAt, dot, verdict }: Transaction): boolean {
  const isThere = overlaps(fault, dataAt ?? dot!.t, verdict!.t + RECORDED_MS);
  return isThere && (meetsPostgres(fault) || stops(fault, 'sender', sender));
}
