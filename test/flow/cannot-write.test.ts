// PostgreSQL that answers and cannot write, read-only as after a failover or with a full disk: senders send nothing that they
// could not record, nothing is lost, and nothing goes out twice.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import type { Account } from '../harness/factories.ts';
import { fillDisk, makeReadOnly } from '../harness/refuse-writes.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const LEASE_MS = 2_000;
const TROUBLE_MS = 5_000; // longer than the lease
const MESSAGES = 120;
const DOT_MS = 200; // the mail server's verdict

/** One message at the mail server, and when it had come. */
interface Data {
  to: string;
  from: number;
}

let stack: Stack;
let account: Account;
let datas: Data[];

beforeEach(async () => {
  datas = [];
  stack = await createStack({
    senders: 2,
    env: { WORKER_LEASE_MS: String(LEASE_MS), TEST_RETRY_SCALE: '0.02' },
    sink: {
      dot: ({ rcptTo }) => {
        const from = performance.now();
        datas.push({ to: rcptTo, from });
        return { reply: '250 2.0.0 taken', afterMs: DOT_MS };
      },
    },
  });
  account = await stack.makeAccount({ tier: 5 });
});

afterEach(async () => {
  await stack.close();
});

/** Messages to recipients of their own, over gRPC. */
async function accept(count: number): Promise<void> {
  const config = { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() };
  const client = openSender(config, stack.context.log);
  const requests = Array.from({ length: count }, (_, n) => ({
    tenantId: toId('tnt', account.tenantId),
    messageId: toId('msg', newUuid()),
    message: OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: [`r${n}@sink.test`],
      subject: 's',
      text: 'x',
    }),
  }));
  const answers = await Promise.all(requests.map((one) => client.send(SendRequest.fromPartial(one))));
  expect(answers.every(({ outcome }) => outcome?.$case === 'sent')).toBe(true);
  client.close();
}

const allDelivered = (count: number) =>
  waitUntil(async () => (await stack.countByState(account))['delivered'] === count, {
    limitMs: 60_000,
    what: () => `all to be delivered; ${datas.length} were sent`,
  });
const repeated = () => {
  const seen = new Set<string>();
  return datas.map(({ to }) => to).filter((to) => seen.has(to) || !seen.add(to));
};

test.each([
  ['read-only', makeReadOnly],
  ['disk full', fillDisk],
] as const)('%s: senders stop, keep what they know, and record it afterwards', async (_how, refuse) => {
  await accept(MESSAGES);
  await waitUntil(() => datas.length > 20);
  const allow = await refuse(stack.context);
  const since = performance.now();
  await waitUntil(() => performance.now() - since > TROUBLE_MS);
  const late = datas.filter(({ from }) => from > since + 1_000);
  expect(late).toEqual([]);
  expect(datas.length).toBeLessThan(MESSAGES);
  await allow();
  await allDelivered(MESSAGES);
  expect(repeated()).toEqual([]);
});
