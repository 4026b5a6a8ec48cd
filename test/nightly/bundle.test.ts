// What the image runs: `npm run bundle` makes it, and it does what the sources do, with all that is read from beside it:
// migrations, scripts of Redis, processes that render and parse, the dashboard, gRPC's descriptions.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSimulator, type Simulator } from '../../local/simulator/start-simulator.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { createCampaignWorld, type CampaignWorld } from '../harness/campaign-world.ts';
import { startService, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';

const ROOT = join(import.meta.dirname, '../..');
const node = (args: string[], env = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } });

let simulator: Simulator;
let world: CampaignWorld;
let inbound: Service;
beforeAll(async () => {
  const inboundPort = await freePort();
  simulator = await startSimulator({ inbound: { host: '127.0.0.1', port: inboundPort } });
  world = await createCampaignWorld({
    env: {
      DNS_SERVERS: `127.0.0.1:${simulator.dnsPort}`,
      OUTBOUND_SMTP_PORT: String(simulator.smtpPort),
      INBOUND_SMTP_PORT: String(inboundPort),
    },
  });
  inbound = await startService('inbound', world.stack.context.env);
});
afterAll(async () => {
  await inbound?.kill();
  await world?.close();
  await simulator?.stop();
});

test('the command line finds the migrations', async () => {
  const { stdout } = await node(['dist/cli.mjs', 'database', 'migrate'], world.stack.context.env);
  expect(stdout).toMatch(/schema of this version/);
});

test('a campaign is imported, rendered and delivered, and a bounce that comes by mail is read', async () => {
  const tenant = await world.makeTenant({ tier: 5 });
  await tenant.importCsv('email,first_name\ndelivered+b@simulator.test,Ann\ndsn+b@simulator.test,Bob\n');
  const campaign = await tenant.ask('POST', '/campaigns', {
    name: 'June',
    from: `Shop <news@${tenant.domain}>`,
    subject: 'News for {{ first_name }}',
    html: '<p>Hello {{ first_name }}</p>',
    audience: { all: true },
  });
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`, {});
  await tenant.untilStatus(campaign.id, 'sent');
  await waitUntil(
    async () => {
      const { states } = await statesOf(tenant.tenantId);
      return states.includes('delivered') && states.includes('bounced');
    },
    { what: 'one delivered, one bounced' },
  );
});

test('it serves the dashboard', async () => {
  const api = world.stack.api!;
  const page = await promisify(execFile)('curl', ['-sk', `https://127.0.0.1:${api.env['API_HTTPS_PORT']}/`]);
  expect(page.stdout).toContain('<div id="root">');
});

async function statesOf(tenantId: string): Promise<{ states: string[] }> {
  const text = 'select state from messages where tenant_id = $1';
  const { rows } = await world.stack.context.db.pool.query<{ state: string }>(text, [tenantId]);
  return { states: rows.map(({ state }) => state) };
}
