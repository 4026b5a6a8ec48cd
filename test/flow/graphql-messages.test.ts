// Messages over GraphQL: pages, filters, attempts and events, sending and cancelling.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { failed, sent } from '../harness/stub-sender.ts';
import { createApiWorld, type ApiWorld, type Ask } from '../harness/api-world.ts';
import { code, login as signIn, makePerson, type Credentials } from '../harness/sign-in.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const person = (role: Role = 'owner', tenantId?: string) => makePerson(world, role, { tenantId });
const login = (who: Credentials) => signIn(world, who);
const as = (token: string): Ask => ({ key: token });

describe('messages', () => {
  const LIST = `query($first: Int, $after: String, $last: Int, $before: String, $status: MessageStatus, $to: String) {
    messages(first: $first, after: $after, last: $last, before: $before, status: $status, to: $to) {
      edges { cursor node { id status } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

  test('pages neither skip nor repeat while new ones come, and filters filter', async () => {
    const who = await person();
    const { token } = await login(who);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      const state = i % 2 ? 'delivered' : 'bounced';
      ids.unshift(
        toId('msg', await makeMessageRow(world.context.db, who.tenantId, { state, to: `R${i}@example.net` })),
      );
    }
    const page = async (variables: unknown) =>
      (await world.graphql(LIST, variables, as(token))).json.data.messages as {
        edges: { cursor: string; node: { id: string } }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string; startCursor: string };
      };
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { edges, pageInfo } = await page({ first: 3, after });
      seen.push(...edges.map(({ node }) => node.id));
      await makeMessageRow(world.context.db, who.tenantId, { state: 'queued' });
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(ids);
    const back = await page({ last: 2 });
    expect(back.edges.map(({ node }) => node.id)).toEqual(ids.slice(-2));
    expect(back.pageInfo.hasPreviousPage).toBe(true);
    expect((await page({ status: 'delivered' })).edges).toHaveLength(3);
    expect((await page({ to: 'r3@example.net' })).edges).toHaveLength(1);
    for (const variables of [
      { first: 101 },
      { first: 0 },
      { after: 'x' },
      { after: 'WyJ4Il0' },
      { first: 1, last: 1 },
    ]) {
      expect(code(await world.graphql(LIST, variables, as(token))), JSON.stringify(variables)).toBe(
        'validation_failed',
      );
    }
  });

  test('attempts and events of a page are read once, and another tenant sees nothing', async () => {
    const who = await person();
    const { token } = await login(who);
    const id = toId('msg', await makeMessageRow(world.context.db, who.tenantId, { state: 'deferred' }));
    await makeMessageRow(world.context.db, who.tenantId, { state: 'queued' });
    const query = `{ messages(first: 100) { edges { node { id tags { name value }
      attempts { at mx smtpCode enhancedCode reply } events { type occurredAt data } } } } }`;
    const { json } = await world.graphql(query, {}, as(token));
    expect(json.data.messages.edges[1].node).toMatchObject({
      id,
      attempts: [],
      events: [{ type: 'accepted' }],
    });
    const one = `query($id: ID!) { message(id: $id) { id deferReason deferredUntil events { type } } node(id: $id) { id } }`;
    expect((await world.graphql(one, { id }, as(token))).json.data.node.id).toBe(id);
    const other = await login(await person());
    const hidden = await world.graphql(one, { id }, as(other.token));
    expect(code(hidden)).toBe('not_found');
    expect(hidden.json.data).toEqual({ message: null, node: null });
    const cancel = `mutation { cancelMessage(input: { id: "${id}" }) { message { status events { type } } } }`;
    expect(code(await world.graphql(cancel, {}, as(other.token)))).toBe('not_found');
    expect((await world.graphql(cancel, {}, as(token))).json.data.cancelMessage.message).toEqual({
      status: 'cancelled',
      events: [{ type: 'accepted' }, { type: 'cancelled' }],
    });
    expect(code(await world.graphql(cancel, {}, as(token)))).toBe('conflict');
  });

  test('sendMessage is the same submission as REST', async () => {
    const { token } = await login(await person());
    const SEND = `mutation($input: SendMessageInput!) { sendMessage(input: $input) {
      id status reason deferredUntil domain warmup { tier cap used } replayed } }`;
    const input = {
      from: 'Shop <shop@example.com>',
      to: 'ann@example.net',
      subject: 'Hi',
      html: '<p>Hi</p>',
      replyTo: 'help@example.com',
      headers: [{ name: 'X-Order', value: '7' }],
      attachments: [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }],
      trackOpens: false,
      idempotencyKey: 'k1',
    };
    const until = new Date('2030-01-01T00:00:00.000Z');
    world.stub.answer = ({ messageId }) =>
      sent(messageId, { status: 'deferred', reason: 'warmup_cap', deferredUntil: until });
    const taken = await world.graphql(SEND, { input }, as(token));
    expect(taken.json.data.sendMessage).toMatchObject({
      status: 'deferred',
      reason: 'warmup_cap',
      deferredUntil: until.toISOString(),
      warmup: { tier: 0, cap: 50, used: 1 },
    });
    const request = world.stub.requests.at(-1);
    expect(request?.message).toMatchObject({ replyTo: ['help@example.com'], trackOpens: false });
    expect(request?.message?.attachments[0]).toMatchObject({
      contentType: 'text/plain',
      content: Buffer.from('hi'),
    });
    expect(request?.idempotency?.key).toBe('k1');
    expect(request?.message?.origin).toBe('api');

    const me = await person();
    for (const to of [me.email, `Me <${me.email.toUpperCase()}>`]) {
      const own = { ...input, to, idempotencyKey: to };
      await world.graphql(SEND, { input: own }, as((await login(me)).token));
      expect(world.stub.requests.at(-1)?.message?.origin).toBe('test');
    }

    world.stub.answer = () => failed('quota_exceeded');
    expect(code(await world.graphql(SEND, { input }, as(token)))).toBe('quota_exceeded');
    world.stub.answer = ({ messageId }) => sent(messageId);
    const bad = await world.graphql(
      SEND,
      { input: { ...input, replyTo: 'x', scheduledAt: 'soon' } },
      as(token),
    );
    expect(code(bad)).toBe('validation_failed');
    expect(bad.json.errors[0].extensions.details.map(({ path }: { path: string }) => path)).toEqual([
      'replyTo',
      'scheduledAt',
    ]);
  });
});
