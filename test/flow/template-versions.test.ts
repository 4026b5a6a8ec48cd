// Templates from creation to the mail that still uses an old version of a deleted one.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { actorName } from '../../core/audit/actor.ts';
import { checkValue } from '../../core/base/field-problems.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { createTemplateRenderer, type TemplateRenderer } from '../../core/template/renderer.ts';
import { KEPT_VERSIONS } from '../../core/template/template.ts';
import { newTemplate, templateChange, type NewTemplate } from '../../core/template/template-input.ts';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  getVersion,
  listTemplates,
  listVersions,
  restoreVersion,
  type TemplateDeps,
} from '../../core/template/templates.ts';
import { deleteOldVersions } from '../../core/template/template-store.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { TESTER } from '../harness/actor.ts';
import { createContext, type Context } from '../harness/context.ts';

let context: Context;
let renderer: TemplateRenderer;
let deps: TemplateDeps;
let tenantId: string;
let otherTenantId: string;

beforeAll(async () => {
  context = await createContext();
  renderer = createTemplateRenderer({ db: context.db, log: context.log, workers: 1 });
  deps = { db: context.db, renderer };
  tenantId = (await createTenant(context, TESTER, { name: 'A', plan: 'pro' })).id;
  otherTenantId = (await createTenant(context, TESTER, { name: 'B', plan: 'pro' })).id;
});
afterAll(async () => {
  await renderer.close();
  await context.close();
});

function input(more: Partial<NewTemplate> & { name: string }): NewTemplate {
  const checked = checkValue(newTemplate, { subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>', ...more });
  if (!checked.ok) throw new Error(JSON.stringify(checked.details));
  return checked.value;
}
const create = (more: Partial<NewTemplate> & { name: string }) =>
  createTemplate(deps, TESTER, tenantId, input(more));

test('new content is a new version; a new name alone is not; old versions still render', async () => {
  const first = await create({ name: 'welcome' });
  expect(first).toMatchObject({ version: 1, subject: 'Hi {{ name }}', text: null, variables: [] });
  const second = await changeTemplate(deps, TESTER, tenantId, first.id, {
    html: '<b>{{ name }}</b>',
    text: 'T {{ name }}',
  });
  expect(second).toMatchObject({ version: 2, subject: 'Hi {{ name }}', html: '<b>{{ name }}</b>' });
  expect(second.updatedAt.getTime()).toBeGreaterThanOrEqual(first.updatedAt.getTime());
  expect(await changeTemplate(deps, TESTER, tenantId, first.id, { name: 'hello' })).toMatchObject({
    version: 2,
    name: 'hello',
  });
  expect(await changeTemplate(deps, TESTER, tenantId, first.id, { html: '<b>{{ name }}</b>' })).toMatchObject(
    {
      version: 2,
    },
  );
  await deleteTemplate(deps, TESTER, tenantId, first.id);
  const at = (version: number) => renderer.render(tenantId, first.id, version, { name: 'A&B' });
  expect(await at(1)).toEqual({ ok: true, subject: 'Hi A&B', html: '<p>A&amp;B</p>', text: '' });
  expect(await renderer.render(tenantId, toId('tpl', first.id), 2, { name: 'Ann' })).toMatchObject({
    text: 'T Ann',
  });
  expect(await at(3)).toEqual({ ok: false, reason: 'the template does not exist' });
  await expect(getTemplate(deps, tenantId, first.id)).rejects.toMatchObject({ code: 'not_found' });
  await create({ name: 'hello' });
});

test('many changes at once: each is its own version, or a conflict', async () => {
  const { id } = await create({ name: 'busy' });
  const changes = Array.from({ length: 6 }, (_, i) =>
    changeTemplate(deps, TESTER, tenantId, id, { text: `t${i}` }),
  );
  const done = (await Promise.allSettled(changes)).filter((one) => one.status === 'fulfilled').length;
  expect(done).toBeGreaterThan(0);
  expect((await getTemplate(deps, tenantId, id)).version).toBe(1 + done);
});

test('tenants are isolated from each other', async () => {
  const { id } = await create({ name: 'private' });
  await expect(getTemplate(deps, otherTenantId, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(changeTemplate(deps, TESTER, otherTenantId, id, { text: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(deleteTemplate(deps, TESTER, otherTenantId, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await renderer.render(tenantId, id, 1, {})).toMatchObject({ ok: true });
  expect(await renderer.render(otherTenantId, id, 1, {})).toMatchObject({ ok: false });
  expect(await listTemplates(deps, otherTenantId, { before: null, limit: 10 })).toEqual([]);
});

test('history says who saved what; a restore is a new version; a change that expects another version is refused', async () => {
  const { id } = await create({ name: 'history', text: 'one' });
  await changeTemplate(deps, TESTER, tenantId, id, { text: 'two', expected_version: 1 });
  const late = changeTemplate(deps, TESTER, tenantId, id, { text: 'late', expected_version: 1 });
  await expect(late).rejects.toMatchObject({ code: 'conflict' });
  const lateRestore = restoreVersion(deps, TESTER, tenantId, id, 1, 1);
  await expect(lateRestore).rejects.toMatchObject({ code: 'conflict' });
  expect(await restoreVersion(deps, TESTER, tenantId, id, 1, 2)).toMatchObject({ version: 3, text: 'one' });
  expect(await restoreVersion(deps, TESTER, tenantId, id, 1, 3)).toMatchObject({ version: 3 });
  const createdBy = actorName(TESTER);
  expect(await listVersions(deps, tenantId, id, { before: null, limit: 9 })).toMatchObject([
    { version: 3, createdBy, restoredFrom: 1 },
    { version: 2, createdBy, restoredFrom: null },
    { version: 1, createdBy, restoredFrom: null },
  ]);
  expect(await listVersions(deps, tenantId, id, { before: 2, limit: 9 })).toMatchObject([{ version: 1 }]);
  expect(await getVersion(deps, tenantId, id, 2)).toMatchObject({ version: 2, text: 'two' });
  const missing = { code: 'not_found' };
  await expect(getVersion(deps, tenantId, id, 4)).rejects.toMatchObject(missing);
  await expect(getVersion(deps, otherTenantId, id, 1)).rejects.toMatchObject(missing);
  const theirs = listVersions(deps, otherTenantId, id, { before: null, limit: 9 });
  await expect(theirs).rejects.toMatchObject(missing);
  await expect(restoreVersion(deps, TESTER, otherTenantId, id, 1, undefined)).rejects.toMatchObject(missing);
});

test('a restore does not check again what was stored once', async () => {
  const { id } = await create({ name: 'old liquid' });
  await context.db.pool.query(
    `update template_versions set html = '{{ x | upcase: 1 }}' where template_id = $1 and version = 1`,
    [id],
  );
  await changeTemplate(deps, TESTER, tenantId, id, { html: '<p>new</p>' });
  expect(await restoreVersion(deps, TESTER, tenantId, id, 1, undefined)).toMatchObject({ version: 3 });
});

test('test data is kept beside the versions, in the order in which it was written', async () => {
  const testData = { b: '{"', a: { n: [1, null, 'é'] } };
  const { id } = await create({ name: 'with data', test_data: testData });
  expect(JSON.stringify((await getTemplate(deps, tenantId, id)).testData)).toBe(JSON.stringify(testData));
  await changeTemplate(deps, TESTER, tenantId, id, { text: 'x' });
  expect(await getTemplate(deps, tenantId, id)).toMatchObject({ version: 2, testData });
  const changed = await changeTemplate(deps, TESTER, tenantId, id, { test_data: {} });
  expect(changed).toMatchObject({ version: 2, testData: {} });
});

test('the newest 100 versions are kept, and older ones that a message may need', async () => {
  const { id } = await create({ name: 'many versions' });
  for (let i = 2; i <= KEPT_VERSIONS + 3; i++)
    await changeTemplate(deps, TESTER, tenantId, id, { text: `t${i}` });
  const soon = new Date(Date.now() + 60_000);
  await context.db.pool.query(
    `update template_versions set created_at = $2 where template_id = $1 and version = 3`,
    [id, new Date(soon.getTime() + 60_000)],
  );
  expect(await deleteOldVersions(context.db.pool, new Date(0))).toBe(0);
  expect(await deleteOldVersions(context.db.pool, soon)).toBe(2); // 1 and 3; 2 was replaced later than that
  expect(await renderer.render(tenantId, id, 3, {})).toMatchObject({ ok: false });
  expect(await renderer.render(tenantId, id, 4, {})).toMatchObject({ ok: true, text: 't4' });
});

test('names are unique per tenant, and lists go from new to old page by page', async () => {
  await expect(create({ name: 'private' })).rejects.toMatchObject({ code: 'conflict' });
  await createTemplate(deps, TESTER, otherTenantId, input({ name: 'private' }));
  for (let i = 0; i < 5; i++) await createTemplate(deps, TESTER, otherTenantId, input({ name: `n${i}` }));
  const seen: string[] = [];
  for (let before: string | null = null; ;) {
    const page = await listTemplates(deps, otherTenantId, { before, limit: 4 });
    seen.push(...page.map((one) => one.name));
    if (page.length < 4) break;
    before = page.at(-1)!.id;
  }
  expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0', 'private']);
});

test('Liquid that does not parse is refused when it is saved, with the place', async () => {
  const refused = {
    code: 'validation_failed',
    details: [{ path: 'html', message: expect.stringMatching(/^line 2, column 1/) }],
  };
  await expect(create({ name: 'bad', html: 'a\n{% if x %}' })).rejects.toMatchObject(refused);
  const { id } = await create({ name: 'was good' });
  await expect(
    changeTemplate(deps, TESTER, tenantId, id, { html: 'a\n{{ x | nope }}' }),
  ).rejects.toMatchObject(refused);
  await expect(changeTemplate(deps, TESTER, tenantId, id, { html: null })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test('required variables, defaults, and names that every object has', async () => {
  const variables = [
    { name: 'name', required: true, default: null },
    { name: 'shop', required: true, default: 'Our shop' },
    { name: 'note', required: false, default: null },
  ];
  const { id } = await create({ name: 'slots', text: '{{ name }}/{{ shop }}/{{ note }}', variables });
  expect(await renderer.render(tenantId, id, 1, { name: 'Ann' })).toMatchObject({ text: 'Ann/Our shop/' });
  expect(await renderer.render(tenantId, id, 1, { name: 1, shop: undefined, note: 0 })).toMatchObject({
    text: '1/Our shop/0',
  });
  const missing = { path: 'variables.name', message: 'is required by the template' };
  expect(await renderer.validateVariables(tenantId, id, 1, { shop: 'x' })).toEqual([missing]);
  expect(await renderer.validateVariables(tenantId, id, 1, { name: '' })).toEqual([]);
  expect(await renderer.validateVariables(tenantId, newUuid(), 1, {})).toBeNull();
  expect(await renderer.render(tenantId, id, 1, {})).toEqual({
    ok: false,
    reason: 'variables.name: is required by the template',
  });
  const preview = {
    subject: '{{ valueOf }}',
    html: null,
    text: 'x',
    variables: [{ name: 'valueOf', required: true, default: null }],
  };
  expect(await renderer.preview(preview, {})).toMatchObject({ ok: false });
});

test('input is checked field by field', () => {
  const problemsOf = (body: object) => {
    const checked = checkValue(newTemplate, { name: 'n', subject: 's', html: 'h', ...body });
    return checked.ok ? [] : checked.details.map((one) => one.path);
  };
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ name: ' ' })).toEqual(['name']);
  expect(problemsOf({ html: null })).toEqual(['html']);
  expect(problemsOf({ html: 'x'.repeat(600_000) })).toEqual(['html']);
  expect(problemsOf({ colour: 1 })).toEqual(['colour']);
  expect(problemsOf({ variables: [{ name: '__proto__' }] })).toEqual(['variables[0].name']);
  expect(problemsOf({ variables: [{ name: 'a' }, { name: 'a' }] })).toEqual(['variables']);
  expect(problemsOf({ variables: [{ name: 'a', default: {} }] })).toEqual(['variables[0].default']);
  expect(problemsOf({ test_data: { a: 'x'.repeat(70_000) } })).toEqual(['test_data']);
  expect(problemsOf({ test_data: [] })).toEqual(['test_data']);
  expect(problemsOf({ test_data: { a: ['\0'] } })).toEqual(['test_data']);
  expect(checkValue(templateChange, { subject: 'x' })).toEqual({ ok: true, value: { subject: 'x' } });
});
