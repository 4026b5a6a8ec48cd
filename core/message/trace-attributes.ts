// What spans say about messages, under the names of OpenTelemetry's semantic conventions where there is one (messaging.*) and
// under postrider.* elsewhere. docs/operating.md lists them.

import { toId } from '../base/ids.ts';
import type { Stream } from '../base/stream.ts';
import type { Attributes } from '../base/trace.ts';
import type { MessageAnswer } from './submission.ts';

// The types of operation that the conventions have.
const TYPES = { send: 'send', accept: 'receive', deliver: 'process' } as const;

/** What a span of messages is about; `count` with more than one. */
export function messagingAttributes(
  operation: keyof typeof TYPES,
  stream: Stream,
  tenantId: string,
  count = 1,
): Attributes {
  return {
    'messaging.system': 'postrider',
    'messaging.operation.name': operation,
    'messaging.operation.type': TYPES[operation],
    'messaging.destination.name': stream,
    ...(count > 1 && { 'messaging.batch.message_count': count }),
    'postrider.tenant.id': toId('tnt', tenantId),
  };
}

/** What was decided about one message. */
export function decisionAttributes(answer: MessageAnswer): Attributes {
  if (!answer.ok) return { 'postrider.decision': 'refused', 'error.type': answer.code };
  return {
    ...(answer.id !== '' && { 'messaging.message.id': toId('msg', answer.id) }),
    'postrider.domain': answer.domain,
    'postrider.decision': answer.status,
    ...(answer.reason !== null && { 'postrider.reason': answer.reason }),
    'postrider.warmup.tier': answer.warmup.tier,
    'postrider.warmup.cap': answer.warmup.cap,
    'postrider.warmup.used': answer.warmup.used,
    ...(answer.recipients && { 'postrider.recipients': answer.recipients.length }),
  };
}

/** How many messages were decided in each way. */
export function decisionCounts(answers: readonly MessageAnswer[]): Attributes {
  const counts = Map.groupBy(answers, (answer) => (answer.ok ? answer.status : 'refused'));
  return Object.fromEntries([...counts].map(([what, all]) => [`postrider.${what}`, all.length]));
}
