// The endpoint of the proof writes down what it answered, and outlives senders that die.

import { request } from 'node:http';

import { expect, test } from 'vitest';

import type { Fact } from '../../../prove/journal.ts';
import { startWebhooks } from '../../../prove/load/webhooks.ts';

test('a request that is cut off is none, and the next one is taken', async () => {
  const facts: Fact[] = [];
  const journal = { append: (fact: Fact) => facts.push(fact), close: () => {} };
  const webhooks = await startWebhooks(journal);
  const url = `${webhooks.url}tenant1`;

  const cut = request(url, { method: 'POST', headers: { 'content-length': 10 } });
  cut.on('error', () => {});
  await new Promise<unknown>((resolve) => cut.write('half', resolve));
  await new Promise<unknown>((resolve) => cut.on('close', resolve).destroy());

  const headers = { 'x-svc-inbound-delivery': 'dlv_1', 'x-svc-inbound-attempt': '1' };
  const answer = await fetch(url, { method: 'POST', headers, body: 'whole' });
  webhooks.close();
  expect(answer.status).toBe(204);
  expect(facts).toMatchObject([{ kind: 'webhook', delivery: 'dlv_1', octets: 5, status: 204 }]);
});
