// Which senders the api calls: those of the bucket of the tenant that it works for.

import { expect, test } from 'vitest';

import { createTenantSender } from '../../../api/tenant-sender.ts';
import { newUuid, toId } from '../../../core/base/ids.ts';
import type { SenderClient } from '../../../core/clients/sender.ts';
import { SendBatchRequest, SendRequest } from '../../../core/gen/sender/v1/sender.ts';

const [own, other] = [newUuid(), newUuid()];

// Notes which bucket each call is about.
function recordCalls() {
  const calls: string[] = [];
  const named = (bucket: string): SenderClient => {
    const note = () => {
      calls.push(bucket);
      return new Promise<never>(() => {});
    };
    const methods = { send: note, sendBatch: note, releaseDeferred: note, ready: note };
    return { ...methods, inBucket: named, close: () => {} };
  };
  return { calls, sender: named('any') };
}

function callAll(sender: SenderClient, tenantId: string): void {
  const about = { tenantId: toId('tnt', tenantId) };
  void sender.send(SendRequest.fromPartial(about));
  void sender.sendBatch(SendBatchRequest.fromPartial(about));
  void sender.releaseDeferred({ ...about, now: undefined });
}

const cases: [string, { id: string; bucket: string } | undefined, string, string][] = [
  ['about the current tenant to those of its bucket', { id: own, bucket: 'b1' }, own, 'b1'],
  ['about another tenant to any', { id: own, bucket: 'b1' }, other, 'any'],
  ['about a tenant of the first bucket to any', { id: own, bucket: 'public' }, own, 'any'],
  ['without a current tenant to any', undefined, own, 'any'],
];

test.each(cases)('calls %s', (_, current, tenantId, expected) => {
  const { calls, sender } = recordCalls();
  callAll(createTenantSender(sender, { current: () => current }), tenantId);
  expect(calls).toEqual([expected, expected, expected]);
});
