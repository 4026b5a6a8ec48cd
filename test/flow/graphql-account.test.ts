// The account over GraphQL: what the dashboard does with domains, templates, contacts, campaigns and suppressions.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

interface Person extends Account {
  /** Asks and gives the data; errors throw. */
  ask(query: string, variables?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  raw(query: string, variables?: unknown): Promise<Answer>;
}

let addresses = 0;
async function owner(): Promise<Person> {
  const account = await makeAccount(world.context.db, { tier: 3 });
  const email = `p${newUuid()}@example.com`;
  const { password } = await createUser(world.context, TESTER, {
    tenantId: account.tenantId,
    email,
    role: 'owner',
  });
  const signIn = await world.graphql(
    'mutation($input: LoginInput!) { login(input: $input) { accessToken } }',
    { input: { email, password } },
    { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } },
  );
  const key = signIn.json.data.login.accessToken as string;
  const raw = (query: string, variables: unknown = {}) => world.graphql(query, variables, { key });
  return {
    ...account,
    raw,
    ask: async (query, variables) => {
      const answer = await raw(query, variables);
      if (answer.json.errors) throw new Error(JSON.stringify(answer.json.errors));
      return answer.json.data;
    },
  };
}

const change = (name: string, type: string, fields: string) =>
  `mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`;
const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code as string;

test('a domain: added with its records, verified, set up, deleted, and its warm-up shown', async () => {
  const me = await owner();
  const name = `shop${newUuid().slice(-8)}.example.com`;
  const made = await me.ask(
    change(
      'createDomain',
      'CreateDomainInput',
      'domain { id name status records { purpose name value status problem required } }',
    ),
    { input: { name } },
  );
  const { domain } = made.createDomain;
  expect(domain).toMatchObject({ name, status: 'pending' });
  expect(domain.records.map((record: { purpose: string }) => record.purpose)).toContain('dkim');
  const again = await me.raw(change('createDomain', 'CreateDomainInput', 'domain { id }'), {
    input: { name },
  });
  expect(codeOf(again)).toBe('conflict');
  const updated = await me.ask(
    change('updateDomain', 'UpdateDomainInput', 'domain { inboundEnabled transactionalReserve }'),
    { input: { id: domain.id, inboundEnabled: false, transactionalReserve: 20 } },
  );
  expect(updated.updateDomain.domain).toEqual({ inboundEnabled: false, transactionalReserve: 20 });
  const bad = await me.raw(change('updateDomain', 'UpdateDomainInput', 'domain { id }'), {
    input: { id: domain.id, transactionalReserve: 91 },
  });
  expect(bad.json.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'transactionalReserve' }],
  });

  await world.context.db.pool.query(
    "update domains set verified_at = now() - interval '2 days' where tenant_id = $1 and tier = 3",
    [me.tenantId],
  );
  const { domains } = await me.ask(`{ domains(first: 10) { edges { node { id name
    warmup { tier cap used day state pausedReason waiting }
    warmupDays(days: 5) { date tier cap used delivered bounced deferred }
    outlook(days: 4) { assumption days { date tier cap } }
    forecast(perDay: 5000) { assumption possibleOn }
    warmupHistory(first: 5) { edges { node { at actor action fromTier toTier reason rates { bounceRate } } } }
  } } pageInfo { hasNextPage endCursor } } }`);
  const [pending, warm] = domains.edges.map((edge: { node: unknown }) => edge.node);
  expect(pending).toMatchObject({ name, warmup: { tier: 0, cap: 50 }, outlook: { days: [] } });
  expect(warm.warmup).toMatchObject({ tier: 3, cap: 500, used: 0, state: 'active', waiting: 0 });
  expect(warm.warmupDays).toHaveLength(3); // there was no cap before it was verified
  expect(warm.warmupDays[2]).toMatchObject({ date: warm.warmup.day, tier: 3, cap: 500 });
  expect(warm.outlook.days.map((day: { cap: number }) => day.cap)).toEqual([500, 1000, 2500, 5000]);
  expect(warm.forecast.possibleOn).toBe(warm.outlook.days[3].date);
  expect(
    (await me.ask(change('deleteDomain', 'DeleteDomainInput', 'id'), { input: { id: domain.id } }))
      .deleteDomain,
  ).toEqual({
    id: domain.id,
  });
});

test('a template: written, previewed before and after saving, changed, and refused by field', async () => {
  const me = await owner();
  const content = {
    subject: 'Hi {{ name }}',
    html: '<p>{{ name }}</p>',
    variables: [{ name: 'name', required: true }],
  };
  const PREVIEW = change('previewTemplate', 'PreviewTemplateInput', 'subject html text');
  const unsaved = await me.ask(PREVIEW, { input: { ...content, values: { name: '<Ann>' } } });
  expect(unsaved.previewTemplate).toMatchObject({ subject: 'Hi <Ann>', html: '<p>&lt;Ann&gt;</p>' });
  const missing = await me.raw(PREVIEW, { input: { ...content, values: {} } });
  expect(missing.json.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'values.name' }],
  });
  const broken = await me.raw(PREVIEW, { input: { ...content, html: '{% if %}', values: { name: 'x' } } });
  expect(broken.json.errors[0].extensions.details[0].path).toBe('html');

  const made = await me.ask(
    change(
      'createTemplate',
      'CreateTemplateInput',
      'template { id version variables { name required default } }',
    ),
    { input: { name: 'Welcome', ...content } },
  );
  const { template } = made.createTemplate;
  expect(template).toMatchObject({
    version: 1,
    variables: [{ name: 'name', required: true, default: null }],
  });
  const changed = await me.ask(
    change('updateTemplate', 'UpdateTemplateInput', 'template { version subject html text }'),
    {
      input: { id: template.id, subject: 'Hello {{ name }}', html: null, text: 'Hello {{ name }}' },
    },
  );
  expect(changed.updateTemplate.template).toEqual({
    version: 2,
    subject: 'Hello {{ name }}',
    html: null,
    text: 'Hello {{ name }}',
  });
  const stored = await me.ask(PREVIEW, { input: { id: template.id, values: { name: 'Ann' } } });
  expect(stored.previewTemplate.text).toBe('Hello Ann');
  const node = await me.ask(`{ node(id: "${template.id}") { __typename id ... on Template { name } } }`);
  expect(node.node).toEqual({ __typename: 'Template', id: template.id, name: 'Welcome' });
});

test('contacts and lists: made, filtered, paged to the end without a gap, changed, deleted', async () => {
  const me = await owner();
  const { createContactList } = await me.ask(
    change('createContactList', 'CreateContactListInput', 'contactList { id name contactsCount }'),
    { input: { name: 'News' } },
  );
  const list = createContactList.contactList;
  const CREATE = change(
    'createContact',
    'CreateContactInput',
    'contact { id email lists { id name } attributes status }',
  );
  for (let i = 0; i < 5; i++) {
    await me.ask(CREATE, {
      input: { email: `c${i}@example.net`, listIds: i < 3 ? [list.id] : [], attributes: { i } },
    });
  }
  expect(codeOf(await me.raw(CREATE, { input: { email: 'C1@example.net' } }))).toBe('conflict');

  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { contacts } = await me.ask(
      'query($after: String) { contacts(first: 2, after: $after) { edges { node { email lists { name contactsCount } } } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    seen.push(...contacts.edges.map((edge: { node: { email: string } }) => edge.node.email));
    after = contacts.pageInfo.hasNextPage ? contacts.pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `c${i}@example.net`));

  const onList = await me.ask(
    `{ contacts(listId: "${list.id}") { edges { node { id lists { name contactsCount } } } } }`,
  );
  expect(onList.contacts.edges).toHaveLength(3);
  expect(onList.contacts.edges[0].node.lists).toEqual([{ name: 'News', contactsCount: 3 }]);
  const { id } = onList.contacts.edges[0].node;
  const changed = await me.ask(
    change('updateContact', 'UpdateContactInput', 'contact { firstName status lists { id } }'),
    {
      input: { id, firstName: 'Ann', status: 'unsubscribed', listIds: [] },
    },
  );
  expect(changed.updateContact.contact).toEqual({ firstName: 'Ann', status: 'unsubscribed', lists: [] });
  await me.ask(change('deleteContact', 'DeleteContactInput', 'id'), { input: { id } });
  expect(codeOf(await me.raw(`{ contact(id: "${id}") { id } }`))).toBe('not_found');
});

test('a campaign: drafted, changed, launched, paused, cancelled, with exact counts', async () => {
  const me = await owner();
  const CREATE = change(
    'createCampaign',
    'CreateCampaignInput',
    'campaign { id status audience { all tag list { id } } stats { recipients } eta { at } template { id } }',
  );
  const input = {
    name: 'June',
    from: `a@${me.domain}`,
    subject: 'News',
    text: 'Hello',
    audience: { all: true },
  };
  const made = await me.ask(CREATE, { input });
  const { campaign } = made.createCampaign;
  expect(campaign).toEqual({
    id: campaign.id,
    status: 'draft',
    audience: { all: true, tag: null, list: null },
    stats: { recipients: 0 },
    eta: null,
    template: null,
  });
  const unclear = await me.raw(CREATE, { input: { ...input, audience: { all: true, tag: 'vip' } } });
  expect(codeOf(unclear)).toBe('validation_failed');
  const changed = await me.ask(
    change('updateCampaign', 'UpdateCampaignInput', 'campaign { name audience { tag all } }'),
    {
      input: { id: campaign.id, name: 'July', audience: { tag: 'vip' } },
    },
  );
  expect(changed.updateCampaign.campaign).toEqual({ name: 'July', audience: { tag: 'vip', all: false } });
  await me.ask(change('createContact', 'CreateContactInput', 'contact { id }'), {
    input: { email: 'vip@sink.test', tags: ['vip'] },
  });
  const verb = async (name: string, type: string) =>
    (await me.ask(change(name, type, 'campaign { status }'), { input: { id: campaign.id } }))[name].campaign
      .status as string;
  expect(await verb('launchCampaign', 'LaunchCampaignInput')).toBe('sending');
  expect(await verb('pauseCampaign', 'PauseCampaignInput')).toBe('paused');
  expect(await verb('resumeCampaign', 'ResumeCampaignInput')).toBe('sending');
  expect(await verb('cancelCampaign', 'CancelCampaignInput')).toBe('cancelled');
  const late = await me.raw(change('deleteCampaign', 'DeleteCampaignInput', 'id'), {
    input: { id: campaign.id },
  });
  expect(codeOf(late)).toBe('conflict');
});

test('suppressions: many added, found by reason and address, removed', async () => {
  const me = await owner();
  const added = await me.ask(
    change('addSuppressions', 'AddSuppressionsInput', 'added suppressions { email reason sourceMessageId }'),
    { input: { emails: ['A@example.net', 'b@example.net'], reason: 'manual' } },
  );
  expect(added.addSuppressions.added).toBe(2);
  const bad = await me.raw(change('addSuppressions', 'AddSuppressionsInput', 'added'), {
    input: { emails: ['nobody'] },
  });
  expect(bad.json.errors[0].extensions.details[0].path).toBe('emails[0]');
  const page = await me.ask(
    '{ suppressions(first: 1, reason: manual) { edges { node { email } } pageInfo { hasNextPage endCursor } } }',
  );
  expect(page.suppressions.pageInfo.hasNextPage).toBe(true);
  const rest = await me.ask(
    'query($after: String) { suppressions(after: $after) { edges { node { email } } } }',
    {
      after: page.suppressions.pageInfo.endCursor,
    },
  );
  expect(rest.suppressions.edges).toHaveLength(1);
  await me.ask(change('removeSuppression', 'RemoveSuppressionInput', 'email'), {
    input: { email: 'a@example.net' },
  });
  expect(
    (await me.ask('{ suppressions(email: "a@example.net") { edges { cursor } } }')).suppressions.edges,
  ).toEqual([]);
});

test('another tenant’s ids are not found, whatever is asked of them', async () => {
  const [me, other] = [await owner(), await owner()];
  const list = (
    await other.ask(change('createContactList', 'CreateContactListInput', 'contactList { id }'), {
      input: { name: 'x' },
    })
  ).createContactList.contactList.id as string;
  const domain = (await other.ask('{ domains { edges { node { id } } } }')).domains.edges[0].node
    .id as string;
  for (const query of [
    `{ domain(id: "${domain}") { id } }`,
    `{ node(id: "${domain}") { id } }`,
    `{ node(id: "${list}") { id } }`,
    `mutation { deleteContactList(input: { id: "${list}" }) { id } }`,
    `mutation { verifyDomain(input: { id: "${domain}" }) { domain { id } } }`,
    `mutation { createContact(input: { email: "a@b.test", listIds: ["${list}"] }) { contact { id } } }`,
  ]) {
    expect(['not_found', 'validation_failed'], query).toContain(codeOf(await me.raw(query)));
  }
});

test('a page of twice as many costs no more statements', async () => {
  const me = await owner();
  const LIST = change('createContactList', 'CreateContactListInput', 'contactList { id }');
  const CAMPAIGN = change('createCampaign', 'CreateCampaignInput', 'campaign { id }');
  for (let i = 0; i < 8; i++) {
    const made = await me.ask(LIST, { input: { name: `list ${i}` } });
    const listId = made.createContactList.contactList.id as string;
    await me.ask(change('createContact', 'CreateContactInput', 'contact { id }'), {
      input: { email: `n${i}@example.net`, listIds: [listId] },
    });
    await me.ask(CAMPAIGN, {
      input: { name: `c ${i}`, from: `a@${me.domain}`, subject: 's', text: 't', audience: { listId } },
    });
  }
  const statementsFor = async (first: number) => {
    const { pool } = world.deps.db;
    const { query } = pool;
    let count = 0;
    pool.query = ((...args: Parameters<typeof query>) => {
      count += 1;
      return query.apply(pool, args);
    }) as typeof query;
    try {
      await me.ask(`{
        campaigns(first: ${first}) { edges { node { stats { recipients } eta { at } audience { list { name contactsCount } } template { name } } } }
        contacts(first: ${first}) { edges { node { lists { name contactsCount } } } }
        domains(first: ${first}) { edges { node { warmup { waiting } records { status } } } }
      }`);
    } finally {
      pool.query = query;
    }
    return count;
  };
  // Once a second the sign-in itself is looked up again, which is one more.
  const leastFor = async (first: number) =>
    Math.min(await statementsFor(first), await statementsFor(first), await statementsFor(first));
  expect(await leastFor(8)).toBe(await leastFor(4));
});
