// A campaign from the import to the inbox: every good row gets one personalised message; what happens meanwhile
// (pause, quota, a paused domain, people who leave) stops exactly what it should.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';
import { watchMoves } from '../harness/watch-moves.ts';

let world: CampaignWorld;
let forbiddenMoves: () => Promise<string[]>;

beforeAll(async () => {
  world = await shareCampaignWorld();
  forbiddenMoves = await watchMoves(world.stack.context.db.pool);
});
afterAll(() => world?.close());

function csvOf(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, i) => `${prefix}${i}@sink.test,Name${i},City${i % 7}`);
  return `email,first_name,city\n${rows.join('\n')}\n`;
}

function draft(tenant: Tenant, more: object = {}) {
  return tenant.ask('POST', '/campaigns', {
    name: 'June news',
    from: `Shop <news@${tenant.domain}>`,
    subject: 'News for {{ first_name }}',
    html: '<p>Hello {{ first_name }} in {{ city }}</p>',
    audience: { all: true },
    ...more,
  });
}

function expectOnce(prefix: string, count: number): void {
  const to = world.received(prefix).map((one) => one.rcptTo);
  expect(new Set(to).size).toBe(count);
  expect(to.length).toBe(count);
}

test('imported rows with bad ones among them get one personalised message each, and the counts are exact', async () => {
  const tenant = await world.makeTenant();
  const list = await tenant.ask('POST', '/contacts/lists', { name: 'News' });
  const bad = 'nobody,Bob,Basel\na@b@c,Eve,Genf\n';
  const imported = await tenant.importCsv(csvOf('story', 1200) + bad, `?list_id=${list.id}`);
  expect(imported).toMatchObject({ total: 1202, created: 1200, failed: 2 });
  await tenant.ask('POST', '/contacts', { email: 'story-other@sink.test' });
  await tenant.ask('POST', '/suppressions', { email: 'story5@sink.test' });
  const [left] = (await tenant.ask('GET', '/contacts?email=story6@sink.test')).items;
  await tenant.ask('PATCH', `/contacts/${left.id}`, { status: 'unsubscribed' });

  const campaign = await draft(tenant, { audience: { list_id: list.id } });
  expect(campaign).toMatchObject({ status: 'draft', stats: { recipients: 0 }, eta: null });
  const launched = await tenant.call('POST', `/campaigns/${campaign.id}/launch`);
  expect(launched).toMatchObject({ status: 202, json: { data: { status: 'sending' } } });
  const sent = await tenant.untilStatus(campaign.id, 'sent');
  expect(sent.stats).toMatchObject({
    recipients: 1199,
    queued: 0,
    deferred: 0,
    dropped: 1,
    delivered: 1198,
    bounced: 0,
    failed: 0,
  });
  expectOnce('story', 1198);
  const one = world.received('story17@')[0]!.raw;
  expect(one).toContain('Subject: News for Name17');
  expect(one).toContain('Hello Name17 in City3');
  const search = `/transactional?campaign_id=${campaign.id}&q=Name17`;
  expect((await tenant.ask('GET', search)).items).toMatchObject([
    { to: 'story17@sink.test', subject: 'News for Name17' },
  ]);
  expect((await tenant.call('PATCH', `/campaigns/${campaign.id}`, { name: 'x' })).status).toBe(409);
  expect((await tenant.call('DELETE', `/campaigns/${campaign.id}`)).status).toBe(409);
  expect((await tenant.ask('GET', '/templates')).items).toEqual([]);
});

test('a template with a required variable fails those without it; they are listed, mended and retried', async () => {
  const tenant = await world.makeTenant();
  const template = await tenant.ask('POST', '/templates', {
    name: 'news',
    subject: 'Hi {{ first_name }}',
    text: 'Your city is {{ city }}.',
    variables: [{ name: 'city', required: true }],
  });
  await tenant.importCsv('email,city\nretry1@sink.test,Bern\nretry2@sink.test,\nretry3@sink.test,Genf\n');
  const campaign = await draft(tenant, {
    template_id: template.id,
    subject: undefined,
    html: undefined,
  });
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, {});
  const sent = await tenant.untilStatus(campaign.id, 'sent');
  expect(sent.stats).toMatchObject({ recipients: 3, delivered: 2, failed: 1, queued: 0 });
  const { items } = await tenant.ask('GET', `/campaigns/${campaign.id}/failed`);
  expect(items).toEqual([
    { contact_id: expect.any(String), email: 'retry2@sink.test', error: expect.stringContaining('city') },
  ]);
  await tenant.ask('PATCH', `/contacts/${items[0].contact_id}`, { attributes: { city: 'Chur' } });
  expect(await tenant.ask('POST', `/campaigns/${campaign.id}/retry`)).toMatchObject({ retried: 1 });
  await waitUntil(async () => (await tenant.ask('GET', `/campaigns/${campaign.id}`)).stats.delivered === 3);
  expectOnce('retry', 3);
  expect(world.received('retry2@')[0]!.raw).toContain('Your city is Chur.');
});

test('scheduled campaigns begin by themselves, and not before', async () => {
  const tenant = await world.makeTenant();
  await tenant.importCsv(csvOf('later', 3));
  const campaign = await draft(tenant);
  const at = new Date(Date.now() + 2_000).toISOString();
  const scheduled = await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, { scheduled_at: at });
  expect(scheduled).toMatchObject({ status: 'scheduled', scheduled_at: at, launched_at: null });
  const sent = await tenant.untilStatus(campaign.id, 'sent');
  expect(Date.parse(sent.launched_at)).toBeGreaterThanOrEqual(Date.parse(at));
  expectOnce('later', 3);
});

test('over the cap mail is deferred, the end is estimated; pausing holds it, resuming lets it go, cancelling ends it', async () => {
  const tenant = await world.makeTenant({ tier: 0 });
  await tenant.importCsv(csvOf('capped', 120));
  const campaign = await draft(tenant);
  const { plan } = await tenant.ask('POST', `/campaigns/${campaign.id}/preflight`, {});
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, {});
  const read = () => tenant.ask('GET', `/campaigns/${campaign.id}`);
  await waitUntil(async () => (await read()).stats.delivered === 50);
  const waiting = await read();
  expect(waiting).toMatchObject({
    status: 'sending',
    stats: { recipients: 120, deferred: 70, delivered: 50 },
  });
  expect(waiting.eta.per_day).toBe(50);
  expect(Date.parse(waiting.eta.at)).toBe(new Date().setUTCHours(24, 0, 0, 0)); // its cap will be 100
  expect(waiting.eta).toMatchObject({
    at: `${plan.days.at(-1).date}T00:00:00.000Z`,
    assumption: plan.assumption,
  });

  const held = async () =>
    (
      await world.stack.context.db.pool.query(
        `select from messages where domain_id = $1 and deferred_until > now() + interval '1 year'`,
        [tenant.domainId],
      )
    ).rowCount;
  const paused = await tenant.ask('POST', `/campaigns/${campaign.id}/pause`);
  expect(paused).toMatchObject({ status: 'paused', pause_reason: 'requested' });
  await waitUntil(async () => (await held()) === 70);
  expect((await tenant.call('POST', `/campaigns/${campaign.id}/pause`)).status).toBe(409);
  await tenant.ask('POST', `/campaigns/${campaign.id}/resume`);
  await waitUntil(async () => (await held()) === 0);
  expect((await read()).status).toBe('sending');
  await tenant.ask('POST', `/campaigns/${campaign.id}/cancel`);
  await waitUntil(async () => (await read()).stats.cancelled === 70);
  expect(await read()).toMatchObject({
    status: 'cancelled',
    stats: { delivered: 50, deferred: 0, queued: 0 },
  });
  expect((await tenant.call('POST', `/campaigns/${campaign.id}/resume`)).status).toBe(409);
  expectOnce('capped', 50);
});

test('the quota pauses a campaign, and a larger plan lets it go on with the rest', async () => {
  const tenant = await world.makeTenant({ plan: 'free' });
  await tenant.importCsv(csvOf('quota', 1300));
  const campaign = await draft(tenant);
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, {});
  const paused = await tenant.untilStatus(campaign.id, 'paused');
  expect(paused).toMatchObject({
    pause_reason: 'quota_exceeded',
    pause_message: expect.stringContaining('1000'),
  });
  const { pool } = world.stack.context.db;
  await pool.query(`update tenants set plan = 'pro' where id = $1`, [tenant.tenantId]);
  await tenant.ask('POST', `/campaigns/${campaign.id}/resume`);
  const sent = await tenant.untilStatus(campaign.id, 'sent');
  expect(sent).toMatchObject({ pause_reason: null, stats: { recipients: 1300, delivered: 1300 } });
  expectOnce('quota', 1300);
});

test('a paused or unverified domain stops a launch, and a campaign under way with its reason', async () => {
  const tenant = await world.makeTenant();
  const { pool } = world.stack.context.db;
  await tenant.importCsv(csvOf('domain', 20));
  const pause = (state: string) =>
    pool.query(`update domains set warmup_state = $2, paused_reason = 'bounces reached 3%' where id = $1`, [
      tenant.domainId,
      state,
    ]);
  const campaign = await draft(tenant);
  await pause('paused');
  expect(await tenant.call('POST', `/campaigns/${campaign.id}/launch`, {})).toMatchObject({
    status: 409,
    json: { error: 'domain_paused' },
  });
  const foreign = await draft(tenant, { from: 'x@elsewhere.test' });
  expect((await tenant.call('POST', `/campaigns/${foreign.id}/launch`, {})).json.error).toBe(
    'domain_not_verified',
  );
  await pause('active');
  const at = new Date(Date.now() + 1_000).toISOString();
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, { scheduled_at: at });
  await pause('paused');
  const paused = await tenant.untilStatus(campaign.id, 'paused');
  expect(paused).toMatchObject({
    pause_reason: 'domain_paused',
    pause_message: expect.stringContaining('bounces reached 3%'),
  });
  await pause('active');
  await tenant.ask('POST', `/campaigns/${campaign.id}/resume`);
  await tenant.untilStatus(campaign.id, 'sent');
  expectOnce('domain', 20);
});

test('bad campaigns are refused by field, and nobody sees another tenant’s', async () => {
  const tenant = await world.makeTenant();
  const other = await world.makeTenant();
  const theirs = await other.ask('POST', '/contacts/lists', { name: 'Theirs' });
  const base = { name: 'n', from: `a@${tenant.domain}`, subject: 's', text: 't', audience: { all: true } };
  const bad: [object, string][] = [
    [{ ...base, subject: 'a\r\nBcc: x@y.z' }, 'subject'],
    [{ ...base, text: '{% for %}' }, 'text'],
    [{ ...base, from: 'nobody' }, 'from'],
    [{ ...base, audience: { list_id: theirs.id } }, 'audience.list_id'],
    [{ ...base, template_id: 'tpl_00000000000000000000000000' }, 'template_id'],
    [{ ...base, text: undefined }, 'html'],
    [{ ...base, colour: 1 }, 'colour'],
  ];
  for (const [body, path] of bad) {
    const { status, json } = await tenant.call('POST', '/campaigns', body);
    expect({ status, path: json.details?.[0]?.path }).toEqual({ status: 422, path });
  }
  const mine = await tenant.ask('POST', '/campaigns', base);
  expect((await other.call('GET', `/campaigns/${mine.id}`)).status).toBe(404);
  for (const action of ['launch', 'pause', 'resume', 'cancel', 'retry'])
    expect(
      (await other.call('POST', `/campaigns/${mine.id}/${action}`, action === 'launch' ? {} : undefined))
        .status,
    ).toBe(404);
  expect((await tenant.ask('DELETE', `/campaigns/${mine.id}`)).deleted).toBe(true);
});

test('in all of this no message made a move that is not in the table', async () => {
  expect(await forbiddenMoves()).toEqual([]);
});
