// Mail that comes in is one trace too, from the SMTP session to the attempts at its webhook, in whichever process they are
// made: its id is that of the stored mail. The customer's endpoint gets no traceparent.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTracing } from '../../core/base/trace.ts';
import {
  hook,
  makeAccount,
  openWorld,
  sendMail,
  startEndpoint,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../harness/otlp-receiver.ts';

let receiver: OtlpReceiver;
let world: InboundWorld;
let stopTracing: () => Promise<void>;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  world = await openWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TEST_RETRY_SCALE: '0.0001' });
  stopTracing = await startTracing(world.context.config, 'inbound', world.context.log);
});
afterAll(async () => {
  await stopTracing();
  await world.close();
  await receiver.close();
});

test('from the session to the webhook, attempt by attempt', async () => {
  const account = await makeAccount(world.context.db);
  const endpoint = await startEndpoint((n) => ({ status: n === 1 ? 503 : 200 }));
  await hook(world, account, endpoint.url);
  const data = 'From: ann@sender.test\r\nSubject: Words of the subject\r\n\r\nWords of the text\r\n';
  const reply = await sendMail(world.port, { to: `secret.bob@${account.domain}`, data });
  const [traceId] = /[0-9a-f-]{36}/.exec(reply)!.map((id) => id.replaceAll('-', ''));
  const ofTrace = (name: string, outcome?: string) =>
    receiver.untilSpan(
      (span) =>
        span.traceId === traceId &&
        span.name === name &&
        (outcome === undefined || span.attributes['postrider.outcome'] === outcome),
      name,
    );
  const root = await ofTrace('receive');
  expect(root).toMatchObject({ service: 'postrider-inbound', kind: 2, parentSpanId: '' });
  expect((await ofTrace('route')).parentSpanId).toBe(root.spanId);
  const failed = await ofTrace('webhook', 'pending');
  const accepted = await ofTrace('webhook', 'accepted');
  expect(failed.attributes).toMatchObject({ 'http.response.status_code': 503, 'postrider.attempt': 1 });
  expect(accepted.attributes).toMatchObject({ 'http.response.status_code': 200, 'postrider.attempt': 2 });
  for (const span of [failed, accepted]) expect(span.parentSpanId).toBe(root.spanId);
  expect(endpoint.hits.map(({ headers }) => headers['traceparent'])).toEqual([undefined, undefined]);
  expect(receiver.bodies.join('\n')).not.toMatch(/secret\.bob|ann@|Words of|127\.0\.0\.1:\d+\/hook/);
  await endpoint.close();
});
