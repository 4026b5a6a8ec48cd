// Around a campaign: exactly whom it reaches, a look at it as one contact, a test to oneself, and what came of it.

import { request } from 'node:https';
import { isDeepStrictEqual } from 'node:util';

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nowDate } from '../../core/base/clock.ts';
import { fromId, newUuid } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import { recordHits } from '../../core/tracking/engagement-store.ts';
import { TESTER } from '../harness/actor.ts';
import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: CampaignWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await shareCampaignWorld();
  tenant = await world.makeTenant();
});
afterAll(() => world?.close());

const draft = (more: object = {}) =>
  tenant.ask('POST', '/campaigns', {
    name: 'June',
    from: `Shop <news@${tenant.domain}>`,
    subject: 'News for {{ first_name }}',
    html: '<p>Hello {{ first_name }} <a href="https://shop.test/a">A</a> <a href="{{ unsubscribe_url }}">Leave</a></p>',
    audience: { all: true },
    ...more,
  });

test('everybody of the audience is counted once: who gets it, or why not', async () => {
  const list = await tenant.ask('POST', '/contacts/lists', { name: 'Parts' });
  const rows = ['good,Ann', 'left,Bob', 'bounced,Cy', 'spam,Dee', 'manual,Eve', 'nameless,'];
  await tenant.importCsv(
    `email,first_name\n${rows.map((row) => row.replace(',', '@parts.test,')).join('\n')}\n`,
    `?list_id=${list.id}`,
  );
  const [left] = (await tenant.ask('GET', '/contacts?email=left@parts.test')).items;
  await tenant.ask('PATCH', `/contacts/${left.id}`, { status: 'unsubscribed' });
  for (const [local, reason] of Object.entries({ bounced: 'bounce', spam: 'complaint', manual: 'manual' }))
    await world.stack.context.db.pool.query(
      'insert into suppressions (tenant_id, email, reason) values ($1, $2, $3)',
      [tenant.tenantId, `${local}@parts.test`, reason],
    );
  const template = await tenant.ask('POST', '/templates', {
    name: 'T',
    subject: 'S',
    text: 'Hello {{ first_name }} {{ unsubscribe_url }}',
    variables: [
      { name: 'first_name', required: true },
      { name: 'unsubscribe_url', required: true },
    ],
  });
  const { id } = await draft({ html: null, template_id: template.id, audience: { list_id: list.id } });
  const { audience } = await tenant.ask('POST', `/campaigns/${id}/preflight`);
  expect(audience).toEqual({
    total: 6,
    sendable: 1,
    unsubscribed: 2, // a complaint unsubscribes
    suppressed: 2,
    left_out: [
      { reason: 'unsubscribed', contacts: 1 },
      { reason: 'suppressed_bounce', contacts: 1 },
      { reason: 'suppressed_complaint', contacts: 1 },
      { reason: 'suppressed_manual', contacts: 1 },
      { reason: 'missing_variable', contacts: 1 },
    ],
  });
});

test('a test comes as a contact would get it; to a person of the tenant it counts nowhere', async () => {
  const { context } = world.stack;
  const { tenantId } = tenant;
  await createUser(context, TESTER, { tenantId, email: 'tester@sink.test', role: 'member' });
  await tenant.ask('POST', '/contacts', { email: 'zoe@sink.test', first_name: 'Zoe' });
  const { id } = await draft();
  const sent = await tenant.ask('POST', `/campaigns/${id}/test`, {
    to: 'tester@sink.test',
    contact_email: 'zoe@sink.test',
  });
  expect(sent.status).toBe('queued');
  await waitUntil(async () => world.received('tester@').length > 0);
  const raw = world.received('tester@')[0]?.raw;
  expect(raw).toMatch(/^Subject: \[Test\] News for Zoe/m);
  expect(raw).toContain('Hello Zoe');
  expect((await tenant.ask('GET', `/campaigns/${id}`)).stats.recipients).toBe(0);
  await tenant.ask('POST', `/campaigns/${id}/test`, { to: 'Stranger@sink.test' });
  const counted = async () => {
    const { rows } = await context.db.pool.query(
      `select (select jsonb_object_agg(origin, state) from messages where tenant_id = $1) as mail,
         (select sum(sent)::int from domain_days where tenant_id = $1) as shown,
         (select sum(attempted)::int from attempt_days where tenant_id = $1) as rated,
         (select sum(used)::int from warmup_days where tenant_id = $1) as used`,
      [tenantId],
    );
    return rows[0];
  };
  const delivered = { mail: { test: 'delivered', api: 'delivered' }, shown: 1, rated: 1, used: 2 };
  let found: unknown;
  await waitUntil(async () => isDeepStrictEqual((found = await counted()), delivered), {
    what: () => JSON.stringify(found),
  });
  const unknown = await tenant.call('POST', `/campaigns/${id}/test`, {
    to: 'tester@sink.test',
    contact_email: 'nobody@sink.test',
  });
  expect([unknown.status, unknown.json.details[0].path]).toEqual([422, 'contact_email']);
  const empty = await tenant.ask('POST', '/campaigns', {
    name: 'E',
    from: `a@${tenant.domain}`,
    audience: { all: true },
    unfinished: true,
  });
  const refused = await tenant.call('POST', `/campaigns/${empty.id}/test`, { to: 'tester@sink.test' });
  expect([refused.status, refused.json.details[0].message]).toEqual([422, 'There is no content yet.']);
});

test('the report has people and machines apart, and its file has no formulas', async () => {
  const list = await tenant.ask('POST', '/contacts/lists', { name: 'Report' });
  const people = ['=1+1', 'report-b', 'report-c'].map((local) => `${local}@sink.test`);
  await tenant.importCsv(`email\n${people.join('\n')}\n`, `?list_id=${list.id}`);
  const { id } = await draft({ audience: { list_id: list.id } });
  await tenant.ask('POST', `/campaigns/${id}/launch`);
  await tenant.untilStatus(id, 'sent');
  const { pool } = world.stack.context.db;
  const { rows } = await pool.query<{ id: string; rcptTo: string }>(
    'select id, rcpt_to as "rcptTo" from messages where campaign_id = $1 and tenant_id = $2',
    [fromId('cmp', id), tenant.tenantId],
  );
  const idOf = (email: string) => rows.find((row) => row.rcptTo === email)!.id;
  const later = new Date(nowDate().getTime() + 60_000); // no haste: that would be a machine's
  const hit = (email: string, type: 'open' | 'click', machine = false, url?: string) => ({
    id: newUuid(),
    tenantId: tenant.tenantId,
    type,
    messageId: idOf(email),
    at: later,
    machine,
    data: { user_agent: 'x', ip: '192.0.2.1', ...(url !== undefined && { url }) },
  });
  const [ann, ben, cy] = people as [string, string, string];
  await recordHits(pool, [
    hit(ann, 'open'),
    hit(ann, 'open'),
    hit(ann, 'click', false, 'https://shop.test/a'),
    hit(ann, 'click', false, 'https://shop.test/a'),
    hit(ben, 'click', false, 'https://shop.test/b'),
    hit(ben, 'open'),
    hit(ann, 'click', false, 'https://shop.test/b'),
    hit(cy, 'open', true),
    hit(cy, 'click', true, 'https://shop.test/a'),
  ]);
  const report = await tenant.ask('GET', `/campaigns/${id}/report`);
  expect(report.by).toBe('hour');
  expect(report.points).toMatchObject([{ opens: 2, clicks: 2, machine_opens: 1, machine_clicks: 1 }]);
  expect(report.links).toEqual([
    { url: 'https://shop.test/b', recipients: 2, clicks: 2, machine_clicks: 0 },
    { url: 'https://shop.test/a', recipients: 1, clicks: 2, machine_clicks: 1 },
  ]);
  const all = await csvOf(`/campaigns/${id}/recipients/csv`);
  expect(new Set(all.map(({ email }) => email))).toEqual(new Set(["'=1+1@sink.test", ben, cy]));
  const machines = await csvOf(`/campaigns/${id}/recipients/csv?filter=machine_opened`);
  expect(machines).toMatchObject([{ email: cy, status: 'delivered', opened_at: '' }]);
  expect((await csvOf(`/campaigns/${id}/recipients/csv?filter=clicked`)).length).toBe(2);
});

async function csvOf(path: string): Promise<Record<string, string>[]> {
  const { value } = await createKey(world.stack.context, TESTER, {
    tenantId: tenant.tenantId,
    name: 'csv',
    scopes: ['campaigns:read'],
  });
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${value}` };
    request(`${world.stack.baseUrl}${path}`, { headers, rejectUnauthorized: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(Buffer.concat(chunks).toString()));
      incoming.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
  return parse(text, { columns: true });
}
