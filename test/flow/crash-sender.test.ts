// kill -9 of a sender at every named step, with a message to two recipients: what was accepted is delivered to each, once
// (after the final dot at most twice, with the same Message-ID), and is admitted once. docs/crashes.md has a row for each
// step.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS, type Failpoint } from '../../core/base/failpoint.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import type { Account } from '../harness/factories.ts';
import { someOf } from '../harness/form.ts';
import type { Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const LEASE = { WORKER_LEASE_MS: '1000', TEST_RETRY_SCALE: '0.02' };
const SENDER_STEPS = FAILPOINTS.filter((step) => /^(accept|release|deliver|retry)\./.test(step));
/** How many of the two the peer may have taken without anybody having recorded it, so that they go out again. */
const MAY_REPEAT: Partial<Record<Failpoint, number>> = {
  'deliver.after-dot': 2,
  'deliver.before-record': 2,
  'deliver.after-record': 1,
  'retry.after-publish': 1,
};
const RECIPIENTS = ['ann@sink.test', 'bob@sink.test'];

let stack: Stack;
let refuseFirst = false;

beforeAll(async () => {
  stack = await createStack({
    senders: 0,
    env: LEASE,
    sink: {
      dot: () => {
        if (!refuseFirst) return '250 2.0.0 taken';
        refuseFirst = false;
        return '451 4.3.0 not now';
      },
    },
  });
});
afterAll(() => stack.close());

test.each(someOf(SENDER_STEPS))('killed at %s', async (step) => {
  const account = await stack.makeAccount();
  refuseFirst = step === 'retry.after-publish';
  const scheduled = step.startsWith('release.');
  const before = stack.sink.messages.length;

  const doomed = await stack.addSender({ TEST_FAILPOINTS: step });
  const request = makeRequest(account, scheduled);
  await submit(doomed, request).catch(() => 'no answer');
  expect(await doomed.ended).toBe('SIGKILL');

  await using survivor = disposable(await stack.addSender());
  expect(await submit(survivor, request)).toBe(scheduled ? 'deferred' : 'queued');
  await waitUntil(async () => (await stack.countByState(account))['delivered'] === RECIPIENTS.length, {
    what: `delivery after a kill at ${step}`,
  });
  const received = stack.sink.messages.slice(before);
  const copies = RECIPIENTS.map((to) => received.filter(({ rcptTo }) => rcptTo === to).length);
  expect(copies).not.toContain(0);
  expect(copies.filter((count) => count > 1).length).toBeLessThanOrEqual(MAY_REPEAT[step] ?? 0);
  expect(Math.max(...copies)).toBeLessThanOrEqual(2);
  expect(new Set(received.map((one) => messageId(one.raw))).size).toBe(1);
  const { rows } = await stack.context.db.pool.query('select used from warmup_days where domain_id = $1', [
    account.domainId,
  ]);
  expect(rows).toEqual([{ used: RECIPIENTS.length }]);
  const { rows: usage } = await stack.context.db.pool.query(
    'select used from tenant_usage where tenant_id = $1',
    [account.tenantId],
  );
  expect(usage).toEqual([{ used: String(RECIPIENTS.length) }]);
});

// A survivor that a failed case left behind would take the next case's mail.
function disposable(sender: Service): Service & AsyncDisposable {
  return { ...sender, [Symbol.asyncDispose]: () => sender.stop() };
}

function makeRequest(account: Account, scheduled: boolean): SendRequest {
  return SendRequest.fromPartial({
    tenantId: toId('tnt', account.tenantId),
    messageId: toId('msg', newUuid()),
    message: OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: RECIPIENTS,
      subject: 'Crash',
      text: 'x',
      ...(scheduled && { scheduledAt: new Date(Date.now() + 1_500) }),
    }),
  });
}

// One try at one sender: when it dies, the caller has no answer.
async function submit(sender: Service, request: SendRequest): Promise<string> {
  const address = `127.0.0.1:${sender.env['SENDER_GRPC_PORT']}`;
  const client = openSender({ ...stack.context.config, SENDER_ADDRESSES: [address] }, stack.context.log);
  const gone = new AbortController();
  void sender.ended.then(() => gone.abort(new Error('the sender died')));
  try {
    const { outcome } = await client.send(request, gone.signal);
    return outcome!.$case === 'sent' ? outcome!.value.status : outcome!.value.code;
  } finally {
    client.close();
  }
}

function messageId(raw: Buffer): string {
  return /^message-id: (.*)$/im.exec(raw.toString('latin1'))?.[1] ?? '';
}
