// What a campaign is made from is deleted while it is being sent: it stops with its reason, or goes on with its copy.
// It never ends as sent when part of its audience was not reached.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

const COUNT = 3_000; // some seconds of work: enough to be in the middle of it

let world: CampaignWorld;

beforeAll(async () => {
  world = await shareCampaignWorld();
});
afterAll(() => world?.close());

async function addContacts(tenant: Tenant, prefix: string, count = COUNT): Promise<string> {
  const { id } = await tenant.ask('POST', '/contacts/lists', { name: prefix });
  const rows = Array.from({ length: count }, (_, i) => `${prefix}${i}@sink.test,Name${i}`);
  await tenant.importCsv(`email,first_name\n${rows.join('\n')}\n`, `?list_id=${id}`);
  return id;
}

async function makeTemplate(tenant: Tenant): Promise<string> {
  const body = { name: 'news', subject: 'From the template', text: 'Hello {{ first_name }}' };
  return (await tenant.ask('POST', '/templates', body)).id;
}

async function launch(tenant: Tenant, content: object): Promise<string> {
  const from = `news@${tenant.domain}`;
  const { id } = await tenant.ask('POST', '/campaigns', { name: 'n', from, ...content });
  await tenant.ask('POST', `/campaigns/${id}/launch`);
  return id;
}

/** Waits for the middle of the campaign: a sender has some of its messages. */
async function untilUnderWay(tenant: Tenant): Promise<void> {
  await waitUntil(async () => Object.keys(await world.stack.countByState(tenant)).length > 0);
}

/** What was submitted before the end is delivered; nothing else is, not even after a resume. */
async function expectStopped(tenant: Tenant, id: string, reason: string): Promise<void> {
  const paused = await tenant.untilStatus(id, 'paused');
  expect(paused).toMatchObject({ pause_reason: reason, pause_message: expect.stringMatching(/was deleted/) });
  await tenant.ask('POST', `/campaigns/${id}/resume`);
  const again = await tenant.untilStatus(id, 'paused');
  expect(again.pause_reason).toBe(reason);
  await waitUntil(async () => {
    const { delivered = 0, ...others } = await world.stack.countByState(tenant);
    return delivered > 0 && Object.keys(others).length === 0;
  });
  await tenant.ask('POST', `/campaigns/${id}/cancel`);
  const read = async () => (await tenant.ask('GET', `/campaigns/${id}`)).stats;
  await waitUntil(async () => (await read()).queued === 0); // contacts that were reached without a message are none of them
  const { recipients, delivered } = await read();
  expect(recipients).toBe(delivered);
  expect(delivered).toBeLessThan(COUNT);
}

test('the list: the campaign pauses, whoever is submitted gets the mail, it can only be cancelled', async () => {
  const tenant = await world.makeTenant();
  const list = await addContacts(tenant, 'list');
  const id = await launch(tenant, { subject: 's', text: 't', audience: { list_id: list } });
  await untilUnderWay(tenant);
  await tenant.ask('DELETE', `/contacts/lists/${list}`);
  await expectStopped(tenant, id, 'list_not_found');
});

test('the template: the campaign pauses, whoever is submitted gets the mail, it can only be cancelled', async () => {
  const tenant = await world.makeTenant();
  await addContacts(tenant, 'template');
  const template = await makeTemplate(tenant);
  const id = await launch(tenant, { template_id: template, audience: { all: true } });
  await untilUnderWay(tenant);
  await tenant.ask('DELETE', `/templates/${template}`);
  await expectStopped(tenant, id, 'template_not_found');
  expect(world.received('template')[0]!.raw).toMatch(/Hello Name\d/);
});

test('the template of a campaign with a subject of its own: it has its copy and goes on', async () => {
  const tenant = await world.makeTenant();
  await addContacts(tenant, 'copy', 800);
  const template = await makeTemplate(tenant);
  const id = await launch(tenant, { template_id: template, subject: 'Its own', audience: { all: true } });
  await untilUnderWay(tenant);
  await tenant.ask('DELETE', `/templates/${template}`);
  const { stats } = await tenant.untilStatus(id, 'sent');
  expect(stats).toMatchObject({ recipients: 800, delivered: 800 });
  expect(world.received('copy')).toHaveLength(800);
});
