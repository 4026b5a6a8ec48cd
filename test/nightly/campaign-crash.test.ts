// kill -9 of the scheduler at every step of a campaign and of an import, and of everything again and again while a
// campaign goes out: each contact gets its message, once. docs/crashes.md has a row for each step.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS } from '../../core/base/failpoint.ts';
import { createCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { longForm, someOf } from '../harness/form.ts';
import { waitUntil } from '../harness/wait.ts';

// Those of holding, releasing and cancelling are in campaign-hold-crash.test.ts.
const CAMPAIGN_STEPS = FAILPOINTS.filter((step) => /^campaign\.after-(mark|submit|conclude)$/.test(step));
const IMPORT_STEPS = FAILPOINTS.filter((step) => step.startsWith('import.'));

// More than one batch of each.
const CONTACTS = longForm(600, 1_100);
const IMPORTED = longForm(2_500, 5_000);

let world: CampaignWorld;

beforeAll(async () => {
  world = await createCampaignWorld({ schedulers: 0, env: { WORKER_LEASE_MS: '2500' } });
});
afterAll(() => world?.close());

function csvOf(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, i) => `${prefix}-${i}@sink.test,Name${i}`);
  return `email,first_name\n${rows.join('\n')}\n`;
}

async function launch(tenant: Tenant): Promise<string> {
  const { id } = await tenant.ask('POST', '/campaigns', {
    name: 'n',
    from: `news@${tenant.domain}`,
    subject: 'News',
    text: 'Hello {{ first_name }}',
    audience: { all: true },
  });
  await tenant.ask('POST', `/campaigns/${id}/launch`, {});
  return id;
}

/** Contacts straight into the record: no scheduler runs that could import them. */
async function addContacts(tenant: Tenant, prefix: string, count: number): Promise<void> {
  await world.stack.context.db.pool.query(
    `insert into contacts (id, tenant_id, email, email_key, first_name)
     select gen_random_uuid(), $1, $2 || '-' || i || '@sink.test', $2 || '-' || i || '@sink.test', 'Name' || i
     from generate_series(0, $3 - 1) as i`,
    [tenant.tenantId, prefix, count],
  );
}

test.each(someOf(CAMPAIGN_STEPS))('killed at %s', async (step) => {
  const tenant = await world.makeTenant();
  const prefix = step.replace('.', '-');
  await addContacts(tenant, prefix, CONTACTS);
  const doomed = await world.addScheduler({ TEST_FAILPOINTS: step });
  const id = await launch(tenant);
  expect(await doomed.ended).toBe('SIGKILL');
  const survivor = await world.addScheduler();
  const sent = await tenant.untilStatus(id, 'sent');
  await survivor.kill();
  expect(sent.stats).toMatchObject({ recipients: CONTACTS, delivered: CONTACTS, queued: 0 });
  const to = world.received(`${prefix}-`).map((one) => one.rcptTo);
  expect([to.length, new Set(to).size]).toEqual([CONTACTS, CONTACTS]);
});

test.each(someOf(IMPORT_STEPS))('killed at %s', async (step) => {
  const tenant = await world.makeTenant();
  const doomed = await world.addScheduler({ TEST_FAILPOINTS: step });
  const importing = tenant.importCsv(csvOf('import', IMPORTED));
  expect(await doomed.ended).toBe('SIGKILL');
  const survivor = await world.addScheduler();
  expect(await importing).toMatchObject({
    status: 'completed',
    total: IMPORTED,
    created: IMPORTED,
    skipped: 0,
    failed: 0,
  });
  await survivor.kill();
  const { rows } = await world.stack.context.db.pool.query<{ n: number }>(
    'select count(*)::int as n from contacts where tenant_id = $1',
    [tenant.tenantId],
  );
  expect(rows[0]!.n).toBe(IMPORTED);
});

test('schedulers and senders killed again and again: every contact has one message, delivered', async () => {
  const tenant = await world.makeTenant();
  const count = longForm(1_500, 4_000);
  await addContacts(tenant, 'chaos', count);
  await world.addScheduler();
  const id = await launch(tenant);
  let kills = 0;
  const isOver = async () => (await tenant.ask('GET', `/campaigns/${id}`)).status === 'sent';
  for (const _ of Array.from({ length: 4 })) {
    const before = world.received('chaos-').length;
    await waitUntil(async () => world.received('chaos-').length > before + 50 || (await isOver()));
    if (await isOver()) break;
    const scheduler = world.schedulers.at(-1)!;
    const sender = world.stack.senders.at(-1)!;
    await Promise.all([scheduler.kill(), sender.kill()]);
    kills += 1;
    await world.stack.addSender({ SENDER_GRPC_PORT: sender.env['SENDER_GRPC_PORT']! });
    await world.addScheduler();
  }
  expect(kills).toBeGreaterThan(0);
  const sent = await tenant.untilStatus(id, 'sent');
  expect(sent.stats).toMatchObject({ recipients: count, delivered: count });
  const { rows } = await world.stack.context.db.pool.query<{ n: number; contacts: number }>(
    `select count(*)::int as n, count(distinct contact_id)::int as contacts from messages where domain_id = $1`,
    [tenant.domainId],
  );
  expect(rows[0]).toEqual({ n: count, contacts: count });
  // Only what a sender had on the wire when it died may have come twice, under the same Message-ID.
  const received = world.received('chaos-');
  const ids = new Set(received.map((one) => /^Message-ID: (.*)$/im.exec(one.raw)![1]));
  expect(ids.size).toBe(count);
});
