// kill -9 of the scheduler while it holds, lets go or cancels what a campaign has waiting: whoever goes on finishes it,
// and no message is cancelled or sent twice. docs/crashes-audience.md has a row for each step.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Failpoint } from '../../core/base/failpoint.ts';
import { createCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

const COUNT = 120;
const CAP = 50; // of tier 0: so many go out today, the others wait

let world: CampaignWorld;

beforeAll(async () => {
  world = await createCampaignWorld({ env: { WORKER_LEASE_MS: '1000' } });
});
afterAll(() => world?.close());

async function countRows(text: string, tenant: Tenant): Promise<number> {
  return (await world.stack.context.db.pool.query(text, [tenant.tenantId])).rowCount ?? 0;
}
const held = (tenant: Tenant) =>
  countRows(
    `select from messages where tenant_id = $1 and deferred_until > now() + interval '1 year'`,
    tenant,
  );

/** Requests the action; the scheduler that runs it dies at the step, and another one resumes. */
async function killedAt(step: Failpoint, action: () => Promise<unknown>): Promise<void> {
  await Promise.all(world.schedulers.map((one) => one.kill())); // none that lives may take it instead
  const doomed = await world.addScheduler({ TEST_FAILPOINTS: step });
  await action();
  expect(await doomed.ended).toBe('SIGKILL');
  await world.addScheduler();
}

test('killed while it holds, lets go and cancels', async () => {
  const tenant = await world.makeTenant({ tier: 0 });
  const rows = Array.from({ length: COUNT }, (_, i) => `hold${i}@sink.test`);
  await tenant.importCsv(`email\n${rows.join('\n')}\n`);
  const from = `news@${tenant.domain}`;
  const body = { name: 'n', from, subject: 's', text: 't', audience: { all: true } };
  const { id } = await tenant.ask('POST', '/campaigns', body);
  const change = (action: string) => tenant.ask('POST', `/campaigns/${id}/${action}`);
  const read = () => tenant.ask('GET', `/campaigns/${id}`);
  await change('launch');
  await waitUntil(async () => {
    const { stats } = await read();
    return stats.delivered === CAP && stats.deferred === COUNT - CAP;
  });

  await killedAt('campaign.after-hold', () => change('pause'));
  await waitUntil(async () => (await held(tenant)) === COUNT - CAP);
  expect((await read()).status).toBe('paused');

  await killedAt('campaign.after-release', () => change('resume'));
  await waitUntil(async () => (await held(tenant)) === 0);
  expect((await read()).status).toBe('sending');

  await killedAt('campaign.after-cancel', () => change('cancel'));
  await waitUntil(async () => (await read()).stats.cancelled === COUNT - CAP);
  expect(await read()).toMatchObject({
    status: 'cancelled',
    stats: { recipients: COUNT, delivered: CAP, queued: 0, deferred: 0 },
  });
  const events = `select from events where tenant_id = $1 and type = 'cancelled'`;
  expect(await countRows(events, tenant)).toBe(COUNT - CAP);
  expect(world.received('hold')).toHaveLength(CAP);
});
