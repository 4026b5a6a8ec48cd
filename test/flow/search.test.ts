// "Where is my e-mail?": what the one search finds for each thing that may be typed, whose it is, and what it refuses.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { indexMessages } from '../../core/message/search/segments.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login, makePerson, type MadePerson } from '../harness/sign-in.ts';

const SEARCH = `query($text: String!) { search(text: $text) {
  messages { id to } contacts { id email } suppressions { email } campaigns { id name } } }`;
const NOTHING = { messages: [], contacts: [], suppressions: [], campaigns: [] };

let world: ApiWorld;
let person: MadePerson;
let token: string;
let other: string;
const ids = { ann: '', bob: '', contact: newUuid(), quiet: newUuid(), campaign: newUuid() };

beforeAll(async () => {
  world = await createApiWorld();
  person = await makePerson(world, 'viewer');
  token = (await login(world, person)).token;
  other = (await login(world, await makePerson(world, 'owner'))).token;
  const { db } = world.context;
  const { tenantId } = person;
  const put = (to: string, subject: string) =>
    makeMessageRow(db, tenantId, { state: 'delivered', to, subject });
  ids.ann = await put('Ann.Meyer@example.net', 'Your order 4711 has shipped');
  ids.bob = await put('bob@example.org', 'Invoice of November');
  await db.pool.query(
    `insert into contacts (id, tenant_id, email, email_key, first_name, last_name)
     values ($1, $3, 'ann.meyer@example.net', 'ann.meyer@example.net', 'Ann', 'Meyer'),
            ($2, $3, 'quiet@example.net', 'quiet@example.net', 'Quinn', 'O''Hara')`,
    [ids.contact, ids.quiet, tenantId],
  );
  await db.pool.query(
    `insert into suppressions (tenant_id, email, reason) values ($1, 'bob@example.org', 'bounce')`,
    [tenantId],
  );
  await db.pool.query(
    `insert into campaigns (id, tenant_id, name, header_from, subject, audience)
     values ($1, $2, 'Winter sale', 'a@example.com', 'Everything must go', '{"all": true}')`,
    [ids.campaign, tenantId],
  );
});
afterAll(() => world.close());

async function search(text: string, by = token) {
  const answer = await world.graphql(SEARCH, { text }, { key: by });
  return answer.json;
}

async function found(text: string) {
  const { data } = await search(text);
  const { messages, contacts, suppressions, campaigns } = data.search;
  return {
    messages: messages.map((one: { id: string }) => one.id),
    contacts: contacts.map((one: { email: string }) => one.email),
    suppressions: suppressions.map((one: { email: string }) => one.email),
    campaigns: campaigns.map((one: { name: string }) => one.name),
  };
}

const ann = () => [toId('msg', ids.ann)];
const bob = () => [toId('msg', ids.bob)];
const both = () => [toId('msg', ids.bob), toId('msg', ids.ann)];
const ANN = ['ann.meyer@example.net'];

test.each(['not indexed yet', 'indexed'])(
  '%s: each thing that may be typed finds what is meant',
  async (how) => {
    if (how === 'indexed')
      while ((await indexMessages(world.context.db.pool, new AbortController().signal)) > 0);
    const cases: [text: string, expected: Partial<Record<keyof typeof NOTHING, string[]>>][] = [
      ['meyer', { messages: ann(), contacts: ANN }],
      ['  ANN.MEYER@EXAMPLE.NET ', { messages: ann(), contacts: ANN }],
      ['<ann.meyer@example.net>,', { messages: ann(), contacts: ANN }],
      ['ann.meyer@ shipped', { messages: ann(), contacts: ANN }],
      ['ann.meyer@ invoice', { contacts: ANN }],
      ['shipped order', { messages: ann() }],
      ['4711', { messages: ann() }],
      ['bob@example.org', { messages: bob(), suppressions: ['bob@example.org'] }],
      ['kind=receipt', { messages: both() }],
      ['kind=other', {}],
      ['kind', { messages: both() }],
      ['quiet@', { contacts: ['quiet@example.net'] }],
      ["quinn o'hara", { contacts: ['quiet@example.net'] }],
      ['winter', { campaigns: ['Winter sale'] }],
      ['must go', { campaigns: ['Winter sale'] }],
      [toId('msg', ids.bob), { messages: bob() }],
      [toId('con', ids.contact).toUpperCase(), { contacts: ANN }],
      [toId('cmp', ids.campaign), { campaigns: ['Winter sale'] }],
      [toId('msg', newUuid()), {}],
      ["%' or true --", {}],
      ['@@@', {}],
      ['💌💌💌', {}],
    ];
    for (const [text, expected] of cases)
      expect(await found(text), text).toEqual({ ...NOTHING, ...expected });
  },
);

test('nothing of another tenant is found, by whatever it is asked for', async () => {
  const texts = ['meyer', 'bob@example.org', 'shipped', 'kind=receipt', 'winter', 'quiet@'];
  const named = [toId('msg', ids.ann), toId('con', ids.contact), toId('cmp', ids.campaign)];
  for (const text of [...texts, ...named])
    expect((await search(text, other)).data.search, text).toEqual(NOTHING);
});

test('what is too short, too long or no text is refused', async () => {
  for (const text of ['', '  ', 'ab', ' ab ', 'x'.repeat(401), 'a\0b']) {
    const { errors } = await search(text);
    expect(errors?.[0].extensions.code, text).toBe('validation_failed');
  }
});
