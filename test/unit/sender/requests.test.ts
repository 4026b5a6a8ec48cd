// What an idempotency key stands for when the caller gives no hash of its own: the message, not its place in a trace.

import { expect, test } from 'vitest';

import { newUuid, toId } from '../../../core/base/ids.ts';
import { OutgoingMessage, SendBatchRequest, SendRequest } from '../../../core/gen/sender/v1/sender.ts';
import { readBatch, readSend } from '../../../sender/grpc/requests.ts';

const tenantId = toId('tnt', newUuid());
const messageId = toId('msg', newUuid());
const idempotency = { key: 'once', bodyHash: Buffer.alloc(0) };
const traceparent = (trace: string) => `00-${trace.repeat(32)}-0123456789abcdef-01`;

function message(trace: string, subject: string): OutgoingMessage {
  return OutgoingMessage.fromPartial({
    from: 'shop@example.com',
    to: ['ann@example.net'],
    subject,
    text: 'Hello',
    trace: { traceparent: traceparent(trace) },
  });
}

function read(trace: string, subject = 'Hello') {
  const one = { messageId, message: message(trace, subject) };
  const sent = readSend(SendRequest.fromPartial({ tenantId, ...one, idempotency }), []);
  const batch = readBatch(SendBatchRequest.fromPartial({ tenantId, messages: [one], idempotency }), []);
  if ('code' in sent) throw new Error(sent.message);
  return [sent, batch.submission] as const;
}

test.each([0, 1] as const)('the same request in another trace is the same request (%s)', (way) => {
  const hash = (trace: string, subject?: string) =>
    read(trace, subject)[way].idempotency!.bodyHash.toString('hex');
  expect(hash('a')).toBe(hash('b'));
  expect(hash('a')).not.toBe(hash('a', 'Other words'));
});

test('and each keeps its own trace', () => {
  for (const submission of read('a')) {
    const [kept] = submission.messages;
    expect(kept!.trace?.traceparent).toBe(traceparent('a'));
    expect(OutgoingMessage.decode(kept!.content).trace?.traceparent).toBe(traceparent('a'));
  }
});
