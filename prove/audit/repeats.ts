// A receiver gets a message once. It gets it again only when its first answer may not have been recorded: a fault of the
// sender or of PostgreSQL between DATA and the record of the verdict, or a receiver that hung up there; or when a sender
// stood still after the "go ahead", and another one was quicker. All attempts of a message have one Message-ID, so that the receiver can recognise a repeat.

import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import type { Transaction } from './transactions.ts';
import type { Finding } from './finding.ts';
import { endOf, mayBeUnrecorded, stoodStillInData } from './recorded.ts';
import { saidLater } from './reply.ts';
import { isOwner } from './system-mail.ts';

/** Every repeat has a fault that explains it, and the same Message-ID. */
export function checkRepeats(evidence: Evidence): Finding[] {
  return [...evidence.wire].flatMap(([recipient, transactions]) => {
    // By the final dot: a sender that stood still after RCPT may bring its message last of all.
    const whole = transactions.filter(({ dot }) => dot !== null).sort((a, b) => a.dot!.t - b.dot!.t);
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
  evidence: Evidence,
  recipient: string,
  byMessage: Map<string | null, Transaction[]>,
): Finding[] {
  if (isOwner(evidence, recipient)) return []; // nobody knows how many messages there are
  const { messagesTo, askedBy } = evidence;
  const messages = messagesTo.get(recipient)?.length ?? askedBy.get(recipient)?.length ?? 1;
  if (byMessage.size <= Math.max(1, messages)) return [];
  const what = `receivers saw ${byMessage.size} Message-IDs of ${messages} message(s): ${[...byMessage.keys()].join(', ')}`;
  return [{ rule: 'repeats', about: recipient, what, t: [...byMessage.values()].at(-1)![0]!.dot!.t }];
}

function unexplained(evidence: Evidence, recipient: string, attempts: Transaction[]): Finding[] {
  return attempts.slice(1).flatMap((again, i): Finding[] => {
    const before = attempts[i]!;
    const { verdict, broke } = before;
    if (saidLater(verdict)) return [];
    if (verdict === null && broke?.by === 'sink') return []; // the receiver hung up before its verdict
    if (mayBeUnrecorded(evidence, before) || stoodStillInData(evidence, again)) return [];
    const said = verdict ? verdict.reply.slice(0, 3) : broke ? 'the sender hung up' : 'no verdict';
    const to = `${said} at ${before.sender ?? 'a sender'}, ${Math.round(endOf(before))} ms`;
    const what = `sent again by ${again.sender ?? 'a sender'} at ${Math.round(again.dot!.t)} ms, after ${to}, without a fault there`;
    return [{ rule: 'repeats', about: recipient, what, t: again.dot!.t }];
  });
}
