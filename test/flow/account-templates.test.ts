// Templates over REST: versions, previews, and templates that were written to do harm.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { RENDER_LIMIT_MS } from '../../core/template/engine.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { watchEventLoop } from '../harness/thread-time.ts';

let world: ApiWorld;
const SCOPES = ['templates:read', 'templates:write'];
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const makeKey = async () => (await world.makeKey({ scopes: SCOPES })).key;
let count = 0;
const create = (key: string, body: Record<string, unknown>) =>
  world.call('POST', '/templates', { key, body: { name: `t${++count}`, subject: 's', html: 'h', ...body } });
const preview = (key: string, id: string, variables?: unknown) =>
  world.call('POST', `/templates/${id}/preview`, { key, body: { variables } });

test('created, changed into a new version, previewed, deleted', async () => {
  const key = await makeKey();
  const body = {
    name: 'Welcome',
    subject: 'Hi {{ first_name }}',
    html: '<p>Hello <b>{{ first_name }}</b> from {{ city }}</p>',
    variables: [
      { name: 'first_name', required: true },
      { name: 'city', default: 'Bern' },
    ],
  };
  const made = await create(key, body);
  expect(made).toMatchObject({ status: 201, json: { data: { ...body, version: 1, text: null } } });
  const { id } = made.json.data;
  expect(id).toMatch(/^tpl_/);

  const shown = await preview(key, id, { first_name: '<i>Ann & Bob</i>' });
  expect(shown.json.data).toEqual({
    subject: 'Hi <i>Ann & Bob</i>',
    html: '<p>Hello <b>&lt;i&gt;Ann &amp; Bob&lt;/i&gt;</b> from Bern</p>',
    text: 'Hello <i>Ann & Bob</i> from Bern',
  });
  expect(await preview(key, id, {})).toMatchObject({
    status: 422,
    json: { error: 'validation_failed', details: [{ path: 'variables.first_name' }] },
  });
  const changed = await world.call('PATCH', `/templates/${id}`, { key, body: { subject: 'Hello' } });
  expect(changed.json.data).toMatchObject({ version: 2, subject: 'Hello', html: body.html });
  expect(await create(key, { name: 'Welcome' })).toMatchObject({ status: 409, json: { error: 'conflict' } });

  const stranger = await makeKey();
  expect((await preview(stranger, id, { first_name: 'x' })).status).toBe(404);
  expect((await world.call('DELETE', `/templates/${id}`, { key })).json.data).toEqual({ id, deleted: true });
  expect((await world.call('GET', `/templates/${id}`, { key })).status).toBe(404);
});

test('a list is walked in pages, newest first', async () => {
  const key = await makeKey();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await create(key, {})).json.data.id);
  const seen: string[] = [];
  for (let after = ''; ;) {
    const page = (await world.call('GET', `/templates?limit=2${after}`, { key })).json.data;
    seen.push(...page.items.map((one: { id: string }) => one.id));
    if (page.next_cursor === null) break;
    after = `&after=${page.next_cursor}`;
  }
  expect(seen).toEqual(ids);
});

test('bad Liquid and bad fields are refused where they are written', async () => {
  const key = await makeKey();
  const bad: [Record<string, unknown>, string][] = [
    [{ html: '{% if x %}' }, 'html'],
    [{ html: "{% include '/etc/passwd' %}" }, 'html'],
    [{ subject: '{{ x | nope }}' }, 'subject'],
    [{ html: null }, 'html'],
    [{ variables: [{ name: '__proto__' }] }, 'variables[0].name'],
    [{ variables: [{ name: 'a' }, { name: 'a' }] }, 'variables'],
    [{ colour: 'red' }, 'colour'],
    [{ html: 'a\0b' }, 'html'],
    [{ text: 'a\0b' }, 'text'],
    [{ subject: 'a\0b' }, 'subject'],
    [{ variables: [{ name: 'a', default: '\0' }] }, 'variables[0].default'],
    [{ html: '\ud800' }, 'html'],
    [{ variables: [{ name: 'a', default: '\ud800' }] }, 'variables[0].default'],
  ];
  for (const [body, path] of bad) {
    const refused = await create(key, body);
    expect(refused, JSON.stringify(body)).toMatchObject({ status: 422, json: { details: [{ path }] } });
  }
});

test('a required variable that is null counts as missing', async () => {
  const key = await makeKey();
  const variables = [{ name: 'who', required: true }];
  const { json } = await create(key, { text: 'Dear {{ who }}', variables });
  const { id } = json.data;
  expect(await preview(key, id, { who: null })).toMatchObject({
    status: 422,
    json: { details: [{ path: 'variables.who' }] },
  });
  expect((await preview(key, id, { who: 'Ann' })).status).toBe(200);
});

test('hostile templates end as 422 while the event loop and the neighbours go on', async () => {
  const [key, other] = [await makeKey(), await makeKey()];
  const good = (await create(other, { html: 'Hi {{ name }}' })).json.data.id;
  const hostile = [
    '{% for i in (1..100000000) %}{% endfor %}',
    '{% for a in (1..30000) %}{% for b in (1..30000) %}{{ b }}{% endfor %}{% endfor %}',
    "{% assign x = 'aaaaaaaaaa' %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x }}",
  ];
  const ids = await Promise.all(hostile.map(async (html) => (await create(key, { html })).json.data.id));
  const busy = watchEventLoop();
  const attacks = Promise.all(ids.map((id) => preview(key, id, {})));
  const neighbours = [];
  for (let i = 0; i < 10; i++) neighbours.push(await preview(other, good, { name: `n${i}` }));
  const longest = await busy.stop();
  for (const attack of await attacks) {
    expect(attack).toMatchObject({ status: 422, json: { details: [{ path: 'template' }] } });
  }
  expect(neighbours.map(({ json }) => json.data?.html)).toEqual(neighbours.map((_, i) => `Hi n${i}`));
  expect(longest).toBeLessThan(RENDER_LIMIT_MS); // as long as one of them would hold it
});

test('data is data: nothing in a variable is rendered again, escapes the HTML or breaks the subject', async () => {
  const key = await makeKey();
  const html = '{{ name }} {{ name.constructor.constructor }} {{ obj.a }}';
  const { id } = (await create(key, { subject: 'S {{ name }}', html })).json.data;
  const name = "{{ 7 | times: 6 }}\r\nBcc: eve@evil.test<script>alert('x')</script>";
  const shown = (await preview(key, id, { name, obj: { a: '{% raw %}', __proto__: { a: 1 } } })).json.data;
  expect(shown.subject).not.toMatch(/[\r\n]/);
  expect(shown.subject).toContain('{{ 7 | times: 6 }}');
  expect(shown.html).not.toContain('<script>');
  expect(shown.html).toContain('{{ 7 | times: 6 }}');
  expect(shown.html).not.toMatch(/function|native code/);
});
