// A session that ends while work is open: its person signs in over the page, and what was typed is there and is saved.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { addUser, createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('a session that ends', () => {
  let world: BrowserWorld;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    world = await openBrowserWorld();
    await makeAccount(world.api.context.db, { tenantId: world.tenant.id });
    // There is one of each kind, and of a kind there is one for all domains.
    await world.api.context.db.pool.query('delete from alert_rules where tenant_id = $1', [world.tenant.id]);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    page ??= await world.signedIn('/');
    complaints = complaintsOf(page);
  });

  const EDITORS: [string, { path: string; fill: () => Promise<void>; save: string; saved: string }][] = [
    [
      'a template',
      {
        path: '/templates/new',
        fill: async () => {
          await page.getByLabel('Name', { exact: true }).fill('Kept receipt');
          await page.getByRole('textbox', { name: 'HTML' }).click();
          await page.keyboard.press('ControlOrMeta+a');
          await page.keyboard.insertText('<p>Long work</p>');
          await preview().getByText('Long work').waitFor(); // asks nothing any more
        },
        save: 'Create template',
        saved: 'Template saved',
      },
    ],
    [
      'a campaign',
      {
        path: '/campaigns/new',
        fill: async () => {
          await page.getByLabel('All contacts').check();
          await page.getByLabel('Campaign name').fill('Kept campaign');
        },
        save: 'Continue',
        saved: 'Draft saved',
      },
    ],
    [
      'an alert rule',
      {
        path: '/alerts',
        fill: async () => {
          await page.getByRole('button', { name: 'Add rule' }).click();
          await page.getByRole('dialog').getByLabel('What to watch').selectOption('Quota');
          await page.getByRole('dialog').getByLabel('Alert at').fill('77');
        },
        save: 'Add rule',
        saved: 'Rule saved',
      },
    ],
    [
      'a contact',
      {
        path: '/contacts',
        fill: async () => {
          await page.getByRole('button', { name: 'Add contact' }).first().click();
          await page.getByRole('dialog').getByLabel('Email').fill('kept@example.com');
        },
        save: 'Add contact',
        saved: 'kept@example.com',
      },
    ],
  ];

  const preview = () => page.frameLocator('iframe[title="Preview of the message"]');

  test.each(EDITORS)('%s is saved after a sign-in over the page', async (_name, editor) => {
    await page.goto(editor.path);
    await editor.fill();
    await world.endSessions(page, world.owner.email);
    // A page with a live view may notice before: then it is saved after the sign-in.
    const saving = page.getByRole('button', { name: editor.save }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.waitFor();
    await page.keyboard.press('Escape'); // closes nothing
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText(/./).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await dialog.getByLabel('Password').fill(world.owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await saving;
    await page.getByText(editor.saved).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('a page of another tenant of the person goes on in that tenant', async () => {
    const other = await createTenant(world.api.context, TESTER, { name: 'Second shop', plan: 'pro' });
    const { db } = world.api.context;
    await addUser({ db }, TESTER, { tenantId: other.id, email: world.owner.email, role: 'owner' });
    await page.goto('/profile');
    await page.getByRole('button', { name: world.tenant.name }).click();
    await page.getByRole('menuitemcheckbox', { name: other.name }).click();
    await page.getByRole('button', { name: other.name }).waitFor();
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
    await page.getByRole('link', { name: 'New template' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Of the other tenant');
    await preview().getByText('Hello there').waitFor();
    await world.endSessions(page, world.owner.email);
    await page.getByRole('button', { name: 'Create template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('Password').fill(world.owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Template saved').waitFor();
    const { rows } = await db.pool.query('select tenant_id from templates where name = $1', [
      'Of the other tenant',
    ]);
    expect(rows).toEqual([{ tenant_id: other.id }]);
  });

  test('another account begins at the sign-in page, after the question about unsaved work', async () => {
    const email = `second@${world.tenant.id}.test`;
    const { password } = await createUser(world.api.context, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'member',
    });
    await page.goto('/templates/new');
    await preview().getByText('Hello there').waitFor();
    await world.endSessions(page, world.owner.email);
    await page.getByLabel('Name', { exact: true }).fill('Not of the next one'); // its draft waits for a session
    await page.getByRole('button', { name: 'Use another account' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving the template?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await signIn(page, { email, password });
    await page.getByRole('heading', { name: 'New template' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    await page.goto('/templates');
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
    expect(await page.getByText('Not of the next one').count()).toBe(0); // nothing was saved by the wrong person
  });

  test('signing out asks first while the draft of a template is not saved', async () => {
    await page.goto('/templates/new');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('SaveTemplateDraft') ? route.abort() : route.continue(),
    );
    await page.getByLabel('Name', { exact: true }).fill('Signed out');
    await page.getByRole('button', { name: world.tenant.name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving the template?' });
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });
});
