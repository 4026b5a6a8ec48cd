// Nothing is delivered that nobody asked for, nothing that was refused, and no more messages to a recipient than there
// were requests. A request without an answer may have been stored: it counts as none or as one.

import type { MessageRead } from '../facts/reads.ts';
import { KEPT_MS, type Asked } from './asked.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { isOwner } from './system-mail.ts';

/** Each message at the receiving side, or in the API's list, belongs to a request that was not refused. */
export function checkUnasked(evidence: Evidence): Finding[] {
  const seen = new Set([...deliveredTo(evidence), ...evidence.messagesTo.keys()]);
  return [...seen]
    .filter((one) => !isOwner(evidence, one))
    .flatMap((recipient) => check(evidence, recipient));
}

function* deliveredTo({ wire }: Evidence): Generator<string> {
  for (const [recipient, transactions] of wire)
    if (transactions.some(({ dot }) => dot !== null)) yield recipient;
}

function check({ askedBy, messagesTo }: Evidence, recipient: string): Finding[] {
  const asked = (askedBy.get(recipient) ?? []).filter(
    ({ request }) => request.via !== 'suppression' && request.via !== 'inbound',
  );
  const about = recipient;
  if (asked.length === 0)
    return [{ rule: 'unasked', about, what: 'got mail that nobody asked for', t: null }];
  const works = new Set(asked.filter((one) => !isRefused(one, recipient)).map(({ work }) => work));
  if (works.size === 0)
    return [{ rule: 'unasked', about, what: 'got mail, and all requests for it were refused', t: null }];
  const messages = messagesTo.get(recipient) ?? [];
  // With one key the promise is another one, and is told by its name.
  const keyed = asked.every(({ request }) => request.once !== null);
  if (messages.length <= Math.max(works.size, keyed ? lifetimes(messages) : 0)) return [];
  const what = `has ${messages.length} messages of ${works.size} request(s)`;
  return [{ rule: keyed ? 'idempotency' : 'unasked', about, what, t: null }];
}

// A process that stands still may do its work after the calendar has jumped over the life of the key.
function lifetimes(messages: MessageRead[]): number {
  let count = 0;
  let since = -Infinity;
  for (const made of messages.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b)) {
    if (made < since + KEPT_MS) continue;
    count++;
    since = made;
  }
  return count;
}

function isRefused({ answer }: Asked, recipient: string): boolean {
  if (!answer || answer.outcome === 'unknown') return false;
  return answer.outcome === 'refused' || answer.failed.some((one) => one.recipient === recipient);
}
