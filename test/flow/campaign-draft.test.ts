// A campaign before anything of it leaves: drafts that are saved half-written and from two places, a launch that is taken
// back, and a duplicate.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: CampaignWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await createCampaignWorld({ schedulers: 0 });
  tenant = await world.makeTenant();
});
afterAll(() => world?.close());

const half = () => ({ name: 'June', from: `news@${tenant.domain}`, audience: { all: true } });
const whole = () => ({ ...half(), subject: 'News', text: 'Hello' });

test('an unfinished draft is saved as it is, and cannot be launched', async () => {
  expect((await tenant.call('POST', '/campaigns', half())).json.details).toEqual([
    { path: 'html', message: 'is required: give html and/or text, or template_id' },
  ]);
  const { id } = await tenant.ask('POST', '/campaigns', { ...half(), unfinished: true });
  const broken = { html: '<p>{% if first_name', subject: 'S' };
  expect((await tenant.call('PATCH', `/campaigns/${id}`, broken)).status).toBe(422);
  const saved = await tenant.ask('PATCH', `/campaigns/${id}`, { ...broken, unfinished: true });
  expect(saved).toMatchObject({ version: 2, html: broken.html, status: 'draft' });
  const refused = await tenant.call('POST', `/campaigns/${id}/launch`);
  expect([refused.status, refused.json.details[0].path]).toEqual([422, 'html']);
});

test('a launch that reaches nobody is refused with the counts; one with somebody left is not', async () => {
  const own = await world.makeTenant();
  const content = { ...whole(), from: `news@${own.domain}` };
  const launch = async (audience: object, body = {}) => {
    const { id } = await own.ask('POST', '/campaigns', { ...content, audience });
    return own.call('POST', `/campaigns/${id}/launch`, body);
  };
  const refused = async (audience: object) => {
    const { status, json } = await launch(audience);
    return [status, json.details?.[0]];
  };
  const nobody = (counts: string) => [422, { path: 'audience', message: `reaches nobody: ${counts}` }];

  expect(await refused({ all: true })).toEqual(nobody('0 contacts, 0 unsubscribed, 0 suppressed'));
  const list = await own.ask('POST', '/contacts/lists', { name: 'L' });
  expect(await refused({ list_id: list.id })).toEqual(nobody('0 contacts, 0 unsubscribed, 0 suppressed'));

  const people = ['left', 'bounced', 'complained'].map((name) => `${name}@nobody.test`);
  for (const email of people) await own.ask('POST', '/contacts', { email, lists: [list.id] });
  const [left] = (await own.ask('GET', '/contacts?email=left@nobody.test')).items;
  await own.ask('PATCH', `/contacts/${left.id}`, { status: 'unsubscribed' });
  for (const [email, reason] of [
    [people[1], 'bounce'],
    [people[2], 'complaint'],
  ])
    await world.stack.context.db.pool.query(
      'insert into suppressions (tenant_id, email, reason) values ($1, $2, $3)',
      [own.tenantId, email, reason],
    );
  // Who complained is unsubscribed too.
  const all = '3 contacts, 2 unsubscribed, 1 suppressed';
  expect(await refused({ all: true })).toEqual(nobody(all));
  expect(await refused({ list_id: list.id })).toEqual(nobody(all));
  expect(await refused({ tag: 'vip' })).toEqual(nobody('0 contacts, 0 unsubscribed, 0 suppressed'));
  expect((await launch({ tag: 'vip' }, { scheduled_at: '2090-06-01T08:00:00Z' })).status).toBe(202);

  await own.ask('POST', '/contacts', { email: 'here@nobody.test', tags: ['vip'] });
  expect((await launch({ tag: 'vip' }, { delay_seconds: 60 })).status).toBe(202);
});

test('a launch at a time that has passed is refused, one of the last minute is now', async () => {
  await tenant.ask('POST', '/contacts', { email: 'passed@sink.test' });
  const { id } = await tenant.ask('POST', '/campaigns', whole());
  for (const scheduled_at of ['2015-06-01T08:00:00Z', new Date(Date.now() - 90_000).toISOString()]) {
    const { status, json } = await tenant.call('POST', `/campaigns/${id}/launch`, { scheduled_at });
    expect([status, json.details]).toEqual([
      422,
      [{ path: 'scheduled_at', message: 'is in the past: leave it out to send now' }],
    ]);
  }
  const justNow = new Date(Date.now() - 20_000).toISOString();
  const launched = await tenant.ask('POST', `/campaigns/${id}/launch`, { scheduled_at: justNow });
  expect(launched.status).toBe('sending');
});

test('what waits for its time must stay finished', async () => {
  const { id } = await tenant.ask('POST', '/campaigns', whole());
  await tenant.ask('POST', `/campaigns/${id}/launch`, { scheduled_at: '2090-06-01T08:00:00Z' });
  const change = { text: null, unfinished: true };
  expect((await tenant.call('PATCH', `/campaigns/${id}`, change)).status).toBe(422);
});

test('of two who saw the same version, the later one is told and overwrites nothing', async () => {
  const { id, version } = await tenant.ask('POST', '/campaigns', whole());
  const tries = ['first', 'second'].map((name) =>
    tenant.call('PATCH', `/campaigns/${id}`, { version, name }),
  );
  const answers = await Promise.all(tries);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const saved = answers.find(({ status }) => status === 200)!.json.data;
  expect(await tenant.ask('GET', `/campaigns/${id}`)).toMatchObject({ name: saved.name, version: 2 });
  const launch = await tenant.call('POST', `/campaigns/${id}/launch`, { version });
  expect([launch.status, launch.json.error]).toEqual([409, 'conflict']);
});

test('a launch is taken back before its time, though every scheduler was killed in between', async () => {
  await tenant.ask('POST', '/contacts', { email: 'undo@sink.test' });
  const doomed = await world.addScheduler();
  const undone = await tenant.ask('POST', '/campaigns', whole());
  const kept = await tenant.ask('POST', '/campaigns', { ...whole(), subject: 'Kept' });
  const launched = await tenant.ask('POST', `/campaigns/${undone.id}/launch`, { delay_seconds: 4 });
  expect(launched).toMatchObject({ status: 'scheduled', launched_at: null });
  await tenant.ask('POST', `/campaigns/${kept.id}/launch`, { delay_seconds: 4 });
  await doomed.kill(); // SIGKILL
  const draft = await tenant.ask('POST', `/campaigns/${undone.id}/undo-launch`);
  expect(draft).toMatchObject({ status: 'draft', scheduled_at: null });

  const survivor = await world.addScheduler();
  await tenant.untilStatus(kept.id, 'sent'); // its time was the later one
  await waitUntil(async () => world.received('undo@').length > 0);
  expect(world.received('undo@').map(({ raw }) => /^Subject: (.*)$/m.exec(raw)![1]!.trim())).toEqual([
    'Kept',
  ]);
  expect(await tenant.ask('GET', `/campaigns/${undone.id}`)).toMatchObject({
    status: 'draft',
    stats: { recipients: 0 },
  });
  const late = await tenant.call('POST', `/campaigns/${kept.id}/undo-launch`);
  expect([late.status, late.json.message]).toEqual([
    409,
    'A campaign that is sent cannot be made a draft again. If it is still sending, pause or cancel it.',
  ]);
  await survivor.kill();
});

test('a duplicate is a draft of its own, also when the list of the first is gone', async () => {
  const list = await tenant.ask('POST', '/contacts/lists', { name: 'L' });
  const first = await tenant.ask('POST', '/campaigns', { ...whole(), audience: { list_id: list.id } });
  await tenant.ask('DELETE', `/contacts/lists/${list.id}`);
  const copy = await tenant.ask('POST', `/campaigns/${first.id}/duplicate`);
  expect(copy).toMatchObject({ name: 'Copy of June', status: 'draft', subject: 'News', version: 1 });
  expect(copy.id).not.toBe(first.id);
});
