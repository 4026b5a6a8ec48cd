// Every decision about a message, as those see it who ask: over REST, GraphQL and the command line, in the same words.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { explainMessage } from '../../core/message/explain.ts';
import { runCli } from '../../cli/run-cli.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login, makePerson } from '../harness/sign-in.ts';

let world: ApiWorld;
let delivery: DeliveryWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  delivery = await createDeliveryWorld();
  await delivery.open();
});
afterAll(async () => {
  await delivery.close();
  await world.close();
});

const explain = (id: string) => explainMessage(delivery.context.db.pool, delivery.account.tenantId, id);

test('a refusal for now, the next attempt and the delivery, with what the server said', async () => {
  const peer = await delivery.startPeer('greylists.test');
  let tries = 0;
  peer.script.rcpt = () => (tries++ === 0 ? '451 4.7.1 Greylisted, try again later' : '250 2.1.5 ok');
  const id = await delivery.queue('ann@greylists.test');
  await delivery.untilState(id, 'delivered');
  const decisions = (await explain(id))!;
  expect(decisions.map(({ rule }) => rule)).toEqual(['accepted', 'retry', 'delivered']);
  const [, retry, delivered] = decisions;
  expect(retry).toMatchObject({
    inputs: { attempt: 1, route: 'direct', mx: 'mx.greylists.test', smtp_code: 451, class: 'greylisted' },
    outcome: { state: 'deferred', until: expect.any(Date) },
    docs: 'docs/flow.md#deliver',
  });
  expect(retry!.outcome.text).toMatch(
    /^Attempt 1 failed for now \(greylisted\), next one at 2\d{3}-.* UTC: mx\.greylists\.test said 451 /,
  );
  expect(delivered!.outcome).toMatchObject({ state: 'delivered', until: null });
});

test('a destination that rests is named', async () => {
  delivery.dns.zone['dead.test'] = { mx: [[10, 'mx.dead.test']] };
  delivery.dns.zone['mx.dead.test'] = { a: ['127.0.0.250'] }; // nobody listens there
  const ids = await delivery.queueAll(Array.from({ length: 12 }, (_, n) => `r${n}@dead.test`));
  for (const id of ids) await delivery.untilState(id, 'deferred');
  const rules = await Promise.all(ids.map(async (id) => (await explain(id))!.map(({ rule }) => rule)));
  expect(rules.flat()).toContain('destination_rests');
});

test('REST, GraphQL and the command line say the same; another tenant finds nothing', async () => {
  const { db, env } = world.context;
  const who = await makePerson(world, 'owner');
  const { key } = await world.makeKey({ tenantId: who.tenantId, scopes: ['transactional:read'] });
  const uuid = await makeMessageRow(db, who.tenantId, { state: 'deferred' });
  const inputs = { tier: 2, cap: 250, used: 250, reserved: 0 };
  await db.pool.query(
    `update messages set deferred_until = '2026-11-24T00:00:00Z', created_at = '2026-11-23T10:00:00Z', decisions = note_decision(null, 'warmup_cap', '2026-11-23T10:00:00Z', 0, $2)
     where id = $1`,
    [uuid, JSON.stringify(inputs)],
  );
  const id = toId('msg', uuid);
  const decision = {
    at: '2026-11-23T10:00:00.000Z',
    rule: 'warmup_cap',
    inputs,
    outcome: {
      state: 'deferred',
      until: '2026-11-24T00:00:00.000Z',
      text: "Waits until 2026-11-24 00:00 UTC: 250 of 250 messages of the day's cap (tier 2) are used.",
    },
    next_step: 'It is released then, before newer mail, as far as the cap of that day allows.',
    docs: 'docs/warmup.md#the-curve',
  };
  const { json } = await world.call('GET', `/transactional/${id}/explain`, { key });
  const words = [
    'The message “Hello” from Shop <shop@example.com> to ann@example.net:',
    '- 2026-11-23 10:00 UTC: We accepted it, and it waited in our queue.',
    'It is tried again or sent at 2026-11-24 00:00 UTC, or soon after.',
    `Reference: ${id}`,
  ].join('\n');
  expect(json.data).toEqual({ decisions: [decision], answer: words });

  const { token } = await login(world, who);
  const query =
    'query($id: ID!) { message(id: $id) { answer decisions { at rule inputs times state until text nextStep docs } } }';
  const { outcome, next_step: nextStep, ...rest } = decision;
  const answer = await world.graphql(query, { id }, { key: token });
  const explained = { answer: words, decisions: [{ ...rest, ...outcome, nextStep, times: 1 }] };
  expect(answer.json.data.message).toEqual(explained);

  let out = '';
  const terminal = { env, out: (text: string) => (out += text), err: (text: string) => (out += text) };
  expect(await runCli(['message', 'explain', id], terminal)).toBe(0);
  expect(out).toContain(`warmup_cap\n  ${outcome.text}\n  ${nextStep}\n  ${decision.docs}\n`);
  expect(await runCli(['message', 'explain', 'msg_nothing'], terminal)).toBe(1);

  const other = await world.makeKey({ scopes: ['transactional:read'] });
  expect((await world.call('GET', `/transactional/${id}/explain`, { key: other.key })).status).toBe(404);
});

test('the history is bounded: the first and the last decisions stay, repeated ones are one', async () => {
  const { db } = world.context;
  const { rows } = await db.pool.query<{ decisions: Record<string, unknown>[] }>(
    `with recursive h(n, decisions) as (
       select 0, note_decision(null, 'warmup_cap', now(), 0, '{}')
       union all
       select n + 1, note_decision(decisions, case n % 4 when 0 then 'released' else 'brake' end, now(), 0, jsonb_build_object('n', n + 1))
       from h where n < 400)
     select decisions from h where n = 400`,
  );
  const { decisions } = rows[0]!;
  expect(decisions).toHaveLength(30);
  expect(decisions[0]).toMatchObject({ rule: 'warmup_cap', left_out: 171 });
  expect(decisions.at(-1)).toMatchObject({ rule: 'brake', times: 3, inputs: { n: 400 } });
});
