// Drafts of templates over GraphQL: a person's own, never overwritten by another tab, gone with the version that is saved.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { deleteOldRows } from '../../core/job/retention-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { code, login, makePerson } from '../harness/sign-in.ts';

const READ = `query($id: ID) { templateDraft(templateId: $id) { content baseVersion revision savedAt } }`;
const SAVE = `mutation($input: SaveTemplateDraftInput!) { saveTemplateDraft(input: $input) { revision savedAt } }`;
const DISCARD = `mutation($input: DiscardTemplateDraftInput!) { discardTemplateDraft(input: $input) { ok } }`;
const CREATE = `mutation($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id version } } }`;
const UPDATE = `mutation($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { version html } } }`;
const DELETE = `mutation($input: DeleteTemplateInput!) { deleteTemplate(input: $input) { id } }`;
const PREVIEW = `mutation($input: PreviewTemplateInput!) { previewTemplate(input: $input) { html } }`;

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const content = (html: string) => ({
  name: 'Welcome',
  subject: 'Hi {{ na',
  html,
  text: '',
  variables: [{ name: 'not a name', required: true, kind: 'number', preset: '' }],
  testData: '{"half',
});
const signedIn = async (tenantId: string, role: 'member' | 'viewer' = 'member') => {
  const { token } = await login(world, await makePerson(world, role, { tenantId }));
  const ask = async (query: string, variables: unknown) => world.graphql(query, variables, { key: token });
  return {
    ask,
    save: (input: object) => ask(SAVE, { input }),
    read: async (id?: string) => (await ask(READ, { id })).json.data.templateDraft,
    async create(name: string) {
      const input = { name, subject: 's', html: '<p>v1</p>' };
      return (await ask(CREATE, { input })).json.data.createTemplate.template.id as string;
    },
  };
};
const rows = async (tenantId: string) =>
  (await world.context.db.pool.query('select 1 from template_drafts where tenant_id = $1', [tenantId]))
    .rowCount;

test('a draft is kept as it was written, for its person alone, and no preview or version is made from it', async () => {
  const tenant = await world.makeTenant();
  const [ann, bob] = [await signedIn(tenant.id), await signedIn(tenant.id)];
  const templateId = await ann.create('Kept');
  const saved = await ann.save({ templateId, baseVersion: 1, content: content('<p>dr') });
  expect(saved.json.data.saveTemplateDraft.revision).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ann.read(templateId)).toEqual({
    content: content('<p>dr'),
    baseVersion: 1,
    ...saved.json.data.saveTemplateDraft,
  });
  expect(await ann.read()).toBe(null);
  expect(await bob.read(templateId)).toBe(null);
  const preview = await ann.ask(PREVIEW, { input: { id: templateId } });
  expect(preview.json.data.previewTemplate.html).toBe('<p>v1</p>');
});

test('two tabs: a save that did not see the other is a conflict; the same content again is none', async () => {
  const tenant = await world.makeTenant();
  const ann = await signedIn(tenant.id);
  const first = (await ann.save({ content: content('one') })).json.data.saveTemplateDraft;
  expect(code(await ann.save({ content: content('two') }))).toBe('conflict');
  const second = await ann.save({ content: content('three'), revision: first.revision });
  expect(code(await ann.save({ content: content('four'), revision: first.revision }))).toBe('conflict');
  const again = await ann.save({ content: content('three'), revision: first.revision });
  expect(again.json.errors).toBe(undefined);
  expect(again.json.data.saveTemplateDraft.revision).not.toBe(second.json.data.saveTemplateDraft.revision);
  expect((await ann.read()).content.html).toBe('three');
  expect(await rows(tenant.id)).toBe(1);
});

test('a draft ends with the version that its person saves, when it is discarded, and with its template', async () => {
  const tenant = await world.makeTenant();
  const [ann, bob] = [await signedIn(tenant.id), await signedIn(tenant.id)];
  await ann.save({ content: content('new') });
  const templateId = await ann.create('Saved');
  expect(await ann.read()).toBe(null);

  for (const one of [ann, bob]) await one.save({ templateId, baseVersion: 1, content: content('change') });
  await ann.ask(UPDATE, { input: { id: templateId, html: '<p>v2</p>' } });
  expect(await ann.read(templateId)).toBe(null);
  expect((await bob.read(templateId)).baseVersion).toBe(1);
  await bob.ask(DISCARD, { input: { templateId } });
  expect(await bob.read(templateId)).toBe(null);

  for (const one of [ann, bob]) await one.save({ templateId, baseVersion: 2, content: content('last') });
  await ann.ask(DELETE, { input: { id: templateId } });
  expect(await rows(tenant.id)).toBe(0);
  expect(code(await bob.save({ templateId, content: content('late') }))).toBe('not_found');
});

test('a viewer cannot write one; what is too large is refused by its field; old ones are deleted', async () => {
  const tenant = await world.makeTenant();
  const [ann, viewer] = [await signedIn(tenant.id), await signedIn(tenant.id, 'viewer')];
  expect(code(await viewer.save({ content: content('no') }))).toBe('forbidden');
  const large = await ann.save({ content: content('x'.repeat(512 * 1024 + 1)) });
  expect(large.json.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'content.html' }],
  });
  expect(code(await ann.save({ content: { ...content('x'), more: 1 } }))).toBe('validation_failed');
  await ann.save({ content: content('old') });
  const { pool } = world.context.db;
  await pool.query(`update template_drafts set saved_at = now() - interval '31 days' where tenant_id = $1`, [
    tenant.id,
  ]);
  const now = await pool.query<{ now: Date }>('select now()');
  await deleteOldRows(pool, now.rows[0]!.now, 'bucket');
  expect(await rows(tenant.id)).toBe(0);
});
