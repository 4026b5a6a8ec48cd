// The template editor in the browser: typing with completion, problems marked where they are, test data, the link to
// unsubscribe, versions with their difference and a restore, drafts that outlive the tab, two tabs, and leaving with work
// that could not be kept.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { createTemplate } from '../../core/template/templates.ts';
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
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

describe.skipIf(skips(noBrowser))('the template editor', () => {
  let world: BrowserWorld;

  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world?.close());

  const looksRight = async (shown: Page) => {
    expect(await violationsOf(shown)).toEqual([]);
    expect(await scrollsSideways(shown)).toBe(false);
  };

  test('variables are completed, problems are marked in place, Tab moves on', async () => {
    const { key } = await world.api.makeKey({ tenantId: world.tenant.id, scopes: ['contacts:write'] });
    const body = { email: 'ann@example.com', attributes: { favourite_tea: 'Assam', 'favour of Ann': 1 } };
    await world.api.call('POST', '/contacts', { key, body });
    const page = await world.signedIn('/templates/new');
    const complaints = complaintsOf(page);
    const html = page.getByRole('textbox', { name: 'HTML' });
    await type(page, html, '<p>Hi {{ first_n');
    await page.getByRole('option', { name: 'first_name', selected: true }).waitFor();
    await looksRight(page); // the list in front of the page too
    await page.keyboard.press('Enter');
    await page.keyboard.type(' | upc');
    const option = page.getByRole('option', { name: 'upcase', selected: true });
    await option.waitFor();
    expect(await html.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await option.click();
    await html.getByText('Hi {{ first_name | upcase}}').waitFor(); // closed before the </p> that came by itself
    await type(page, html, '{{ favo'); // an attribute of the account's contacts
    const attribute = page.getByRole('option', { name: 'favourite_tea' });
    await attribute.getByText('attribute of contacts').waitFor();
    await attribute.click();
    await html.getByText('{{ favourite_tea}}').waitFor();
    const unknown = page.getByText('is not a variable of this template');
    await waitUntil(async () => (await unknown.count()) === 0); // what was half written was none
    await type(page, html, '{{ favour');
    await attribute.waitFor();
    expect(await page.getByRole('option', { name: 'favour of Ann' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await type(page, page.getByLabel('Subject'), 'For {{ fi');
    await page.getByRole('option', { name: 'first_name' }).click();
    await page.getByText('For there').waitFor(); // the preview, with the default

    await set(
      page,
      html,
      '<p>Hi\n<img src="https://example.com/a.png">\n{{ frist_name }}\n{{ x | nope }}</div>',
    );
    const problems = page.getByRole('list', { name: 'Problems' });
    await problems.getByText('Line 4, column 1: Undefined filter: nope.').waitFor();
    await problems.getByText('Line 2, column 1: The image has no alt text.').waitFor();
    await problems.getByText('Line 4, column 15: </div> closes nothing.').waitFor();
    await problems.getByText('frist_name is not a variable of this template.').click();
    expect(await page.evaluate('getSelection().toString()')).toBe('frist_name');
    expect((await html.locator('.cm-lintRange-error').allInnerTexts()).join('')).toBe('{{ x | nope }}');
    await looksRight(page);
    await page.getByRole('button', { name: 'Add frist_name to the variables' }).click();
    await page.getByLabel('Name of variable 2').waitFor();
    expect(await page.getByLabel('Name of variable 2').inputValue()).toBe('frist_name');

    await html.focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest(".cm-editor")')).toBe(null);
    expect(complaints).toEqual([]);

    const phone = await world.signedIn('/templates/new', 'phone');
    await set(phone, phone.getByRole('textbox', { name: 'HTML' }), '<p>{{ nobody }}\n{% if %}');
    await phone.getByRole('list', { name: 'Problems' }).waitFor();
    await looksRight(phone);
  });

  test('test data is kept with the template, and the unsubscribe link is offered until readers see one', async () => {
    const page = await world.signedIn('/templates/new');
    const complaints = complaintsOf(page);
    await page.getByLabel('Name', { exact: true }).fill('Receipt');
    const html = page.getByRole('textbox', { name: 'HTML' });
    await set(
      page,
      html,
      '<p>Paid by {{ first_name }}</p>{% comment %}{{ unsubscribe_url }}{% endcomment %}',
    );
    await page.getByRole('button', { name: 'Fill in the variables' }).click();
    const testData = page.getByRole('textbox', { name: 'Test data as JSON' });
    await testData.getByText('"first_name": "there"').waitFor();
    await set(page, testData, '["Zoe"');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByText('Test data as JSON must be a JSON object').waitFor();
    await set(page, testData, '{"first_name": "Zoe <b>"}');
    await preview(page).getByText('Paid by Zoe <b>').waitFor();
    await page.getByRole('button', { name: 'Insert unsubscribe link' }).click();
    await page.getByText('Readers see an unsubscribe link.').waitFor();
    await preview(page).getByRole('link', { name: 'Unsubscribe' }).waitFor();
    await looksRight(page);
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor(); // and no question about leaving
    await page.reload();
    await testData.getByText('"first_name": "Zoe <b>"').waitFor();
    await preview(page).getByText('Paid by Zoe <b>').waitFor();
    expect(complaints).toEqual([]);

    const phone = await world.signedIn(new URL(page.url()).pathname, 'phone');
    await phone.getByText('Readers see an unsubscribe link.').waitFor();
    await looksRight(phone);
  });

  test('two tabs: the later one is told, sees the difference, and history keeps both; then back to the first', async () => {
    const path = await stored('Two tabs');
    const [one, two] = [await world.signedIn(path), await world.signedIn(path)];
    const complaints = complaintsOf(two);
    await set(one, htmlOf(one), '<p>From tab one</p>');
    await one.getByText('Draft saved at').waitFor();
    await set(two, htmlOf(two), '<p>From tab two</p>');
    await two.getByText('The draft of this template was changed in another tab').waitFor();
    await looksRight(two);
    await two.getByRole('button', { name: 'Keep mine' }).click();
    await two.getByText('Draft saved at').waitFor();
    await set(one, htmlOf(one), '<p>From tab one again</p>');
    await one.getByRole('button', { name: 'Load the newer version' }).click();
    await htmlOf(one).getByText('From tab two').waitFor();
    await set(one, htmlOf(one), '<p>From tab one</p>');
    await one.getByRole('button', { name: 'Save new version' }).click();
    await one.getByText('version 2', { exact: true }).waitFor();
    await two.getByRole('button', { name: 'Save new version' }).click();
    const dialog = two.getByRole('dialog', { name: 'This template was saved while you edited it' });
    await dialog.getByText(`by ${world.owner.email}`).waitFor();
    const changes = dialog.getByRole('textbox', { name: 'Changes of html' });
    await changes.getByText('From tab two').waitFor();
    await dialog.getByText('From tab one').waitFor();
    await looksRight(two);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await htmlOf(two).getByText('From tab two').waitFor();
    await two.getByRole('button', { name: 'Save new version' }).click();
    await dialog.getByRole('button', { name: 'Save mine as version 3' }).click();
    await two.getByText('version 3', { exact: true }).waitFor();

    await two.getByRole('button', { name: 'Versions' }).click();
    const versions = two.getByRole('dialog', { name: 'Versions' });
    await versions.getByRole('button', { name: 'Version 1' }).click();
    await versions.getByRole('heading', { name: 'From version 1 to version 3' }).waitFor();
    await versions.getByText('From tab two').waitFor();
    await looksRight(two);
    await versions.getByRole('button', { name: 'Restore version 1' }).click();
    await two.getByText('Version 1 was restored as version 4').waitFor();
    await htmlOf(two).getByText('<p>First</p>').waitFor();
    await two.getByRole('button', { name: 'Versions' }).click();
    await versions.getByText('restored from version 1').waitFor();
    expect(complaints).toEqual([]);

    const phone = await world.signedIn(path, 'phone');
    await phone.getByRole('button', { name: 'Versions' }).click();
    await phone.getByRole('button', { name: 'Version 2' }).click();
    await phone.getByText('From tab one').waitFor();
    await looksRight(phone);
  });

  test('what is written outlives the tab, until it is saved or discarded', async () => {
    const path = await stored('Crashed');
    const page = await world.signedIn(path);
    const complaints = complaintsOf(page);
    await set(page, htmlOf(page), '<p>Written {{ nick }} before the crash');
    await page.getByRole('button', { name: 'Add nick to the variables' }).click();
    await set(page, page.getByRole('textbox', { name: 'Test data as JSON' }), '{"half');
    await page.getByText('Draft saved at').waitFor();
    await page.close(); // without a word to the page

    const again = await world.signedIn(path);
    const notice = again.getByText(/^Draft from .+, not saved yet\.$/);
    await notice.waitFor();
    await htmlOf(again).getByText('Written {{ nick }} before the crash').waitFor();
    expect(await again.getByLabel('Name of variable 1').inputValue()).toBe('nick');
    await again.getByRole('textbox', { name: 'Test data as JSON' }).getByText('{"half').waitFor();
    await looksRight(again);
    const phone = await world.signedIn(path, 'phone');
    await phone.getByText(/^Draft from /).waitFor();
    await looksRight(phone);
    await set(again, again.getByRole('textbox', { name: 'Test data as JSON' }), '{}');
    await again.getByRole('button', { name: 'Save new version' }).click();
    await again.getByText('version 2', { exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
    await again.reload();
    await htmlOf(again).getByText('before the crash').waitFor();
    expect(await again.getByText(/^Draft/).count()).toBe(0);

    await set(again, htmlOf(again), '<p>Thrown away</p>');
    await again.getByText('Draft saved at').waitFor();
    await again.reload();
    await notice.waitFor();
    await again.getByRole('button', { name: 'Discard', exact: true }).click();
    const question = again.getByRole('dialog', { name: 'Discard the draft?' });
    await question.getByText('Your changes since version 2 will be lost.').waitFor();
    await looksRight(again);
    await question.getByRole('button', { name: 'Discard draft' }).click();
    await htmlOf(again).getByText('before the crash').waitFor();
    await again.reload();
    await htmlOf(again).getByText('before the crash').waitFor();
    expect(await again.getByText(/^Draft/).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a new template that was never saved has a draft too; creating it ends the draft', async () => {
    const page = await world.signedIn('/templates/new');
    await page.getByLabel('Name', { exact: true }).fill('Never saved');
    await page.getByRole('link', { name: 'Campaigns' }).click(); // at once, and without a question
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor();
    await page.goBack();
    await page.getByText(/^Draft from /).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Never saved');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'Never saved' }).waitFor();
    await page.goto('/templates/new');
    await page.getByRole('button', { name: 'Create template' }).waitFor();
    expect(await page.getByText(/^Draft/).count()).toBe(0);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  });

  test('leaving asks while the draft cannot be kept: a link, Back; after saving nothing does', async () => {
    const page = await world.signedIn('/templates');
    const path = await stored('Left');
    await page.goto('/templates');
    await page.getByRole('link', { name: 'Left' }).click();
    const html = htmlOf(page);
    const question = page.getByRole('dialog', { name: 'Leave without saving the template?' });
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('SaveTemplateDraft') ? route.abort() : route.continue(),
    );
    await set(page, html, '<p>Not saved</p>');
    await page.getByText('Not saved: no connection.').waitFor();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await question.waitFor();
    await looksRight(page);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.goBack();
    await question.waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await html.getByText('Not saved').waitFor();
    await page.goBack();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/templates');

    await page.getByRole('link', { name: 'Left' }).click();
    await html.getByText('First').waitFor();
    await set(page, html, '<p>Saved</p>');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('version 2', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor();
  });

  test('a viewer tries changes in the preview and is offered no way to save them', async () => {
    const path = await stored('Read');
    const email = `viewer@${world.tenant.id}.test`;
    const input = { tenantId: world.tenant.id, email, role: 'viewer' } as const;
    const { password } = await createUser(world.api.context, TESTER, input);
    const page = await world.openPage();
    await page.goto(path);
    await signIn(page, { email, password });
    await set(page, page.getByRole('textbox', { name: 'HTML' }), '<p>Tried</p>');
    await preview(page).getByText('Tried').waitFor();
    await page.getByText('An owner or a member can save them.').waitFor();
    expect(await page.getByRole('button', { name: /Save|Delete|Discard/ }).count()).toBe(0);
    await looksRight(page);
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click(); // without a question
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'New template' }).count()).toBe(0);
  });

  const htmlOf = (page: Page) => page.getByRole('textbox', { name: 'HTML' });
  const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the message"]');

  const stored = async (name: string) => {
    const { id } = await createTemplate(world.api.deps, TESTER, world.tenant.id, {
      name,
      subject: 'Hi',
      html: '<p>First</p>',
      text: null,
      variables: [],
    });
    return `/templates/${toId('tpl', id)}`;
  };
});

/** Types in place of what an editor has, key by key. */
async function type(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Puts text in place of what an editor has, at once. */
async function set(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}
