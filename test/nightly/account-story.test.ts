// The whole account in one story: 5,000 contacts are imported with bad rows among them, a campaign goes out through the
// real mailbox simulator, and what people do with it (open, click, bounce, complain, leave) shows everywhere it should.
// Told twice: undisturbed, and with senders and schedulers killed in the middle.

import { Agent, request } from 'node:https';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
import { startSimulator, type Simulator } from '../../local/simulator/start-simulator.ts';
import { createCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { startCopies, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const COUNT = 5_000;
const BAD_ROWS = ['nobody,Bob,Basel', 'a@b@c,Eve,Genf', ',Max,Bern', 'x@sink.test\u0000,Nul,Bern'];
const SPECIAL = { bounced: 12, softbounced: 8, dsn: 10, complained: 6 };
const UNUSUAL = Object.values(SPECIAL).reduce((sum, count) => sum + count, 0);
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

let simulator: Simulator;
let world: CampaignWorld;
let inbounds: Service[] = [];
beforeAll(async () => {
  const [inboundPort, apiPort] = [await freePort(), await freePort()];
  simulator = await startSimulator({ inbound: { host: '127.0.0.1', port: inboundPort } });
  world = await createCampaignWorld({
    env: {
      DNS_SERVERS: `127.0.0.1:${simulator.dnsPort}`,
      OUTBOUND_SMTP_PORT: String(simulator.smtpPort),
      INBOUND_SMTP_PORT: String(inboundPort),
      API_HTTPS_PORT: String(apiPort),
      PUBLIC_URL: `https://127.0.0.1:${apiPort}`,
    },
  });
  inbounds = await startCopies('inbound', inject('copies'), world.stack.context.env);
});
afterAll(async () => {
  await Promise.all(inbounds.map((one) => one.kill()));
  await world?.close();
  await simulator?.stop();
});

/** Local parts of the story's contacts; most of them are delivered. */
function localParts(label: string): string[] {
  const unusual = Object.entries(SPECIAL).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, i) => `${kind}+${label}${i}`),
  );
  const usual = Array.from({ length: COUNT - UNUSUAL }, (_, i) => `delivered+${label}${i}`);
  return [...unusual, ...usual];
}

function csvOf(label: string): string {
  const rows = localParts(label).map((local, i) => `${local}@simulator.test,Name${i},City${i % 7}`);
  for (const [i, bad] of BAD_ROWS.entries()) rows.splice(500 * (i + 1), 0, bad);
  return `email,first_name,city\n${rows.join('\n')}\n`;
}

interface Caught {
  mail_from: string;
  rcpt_to: string;
  raw: string;
}

async function caught(to: string): Promise<Caught[]> {
  const url = `http://127.0.0.1:${simulator.httpPort}/messages?limit=1000&to=${encodeURIComponent(to)}`;
  return ((await (await fetch(url)).json()) as { items: Caught[] }).items;
}

function visit(url: string, method = 'GET', body?: string): Promise<number> {
  const headers = {
    'user-agent': BROWSER,
    ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

/**
 * What a person finds in the one mail that the address got. (A sender that is killed between the final dot and its
 * record may send it once more, under the same Message-ID.)
 */
async function linksOf(email: string) {
  const mails = await caught(email);
  const ids = mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)![1]);
  expect(new Set(ids).size, `mails to ${email}`).toBe(1);
  const raw = mails[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return {
    raw,
    open: /src="(https:[^"]+\/t\/o\/[^"]+)"/.exec(raw)![1]!,
    click: /href="(https:[^"]+\/t\/c\/[^"]+)"/.exec(raw)![1]!,
    unsubscribe: /<(https:[^>]+\/u\/[^>]+)>/.exec(raw.replaceAll(/\r\n[ \t]+/g, ' '))![1]!,
  };
}

async function launch(tenant: Tenant): Promise<string> {
  // The first hundred bounce and complain: the same-day brake would hold the rest until midnight.
  await world.stack.context.db.pool.query('update domains set brake_enabled = false where id = $1', [
    tenant.domainId,
  ]);
  const campaign = await tenant.ask('POST', '/campaigns', {
    name: 'June news',
    from: `Shop <news@${tenant.domain}>`,
    subject: 'News for {{ first_name }}',
    html: '<p>Hello {{ first_name }} in {{ city }}: <a href="https://shop.example/june">see</a></p>',
    audience: { all: true },
  });
  await tenant.ask('POST', `/campaigns/${campaign.id}/launch`);
  return campaign.id;
}

async function importAll(tenant: Tenant, label: string): Promise<void> {
  const imported = await tenant.importCsv(csvOf(label));
  expect(imported).toMatchObject({
    status: 'completed',
    total: COUNT + BAD_ROWS.length,
    created: COUNT,
    failed: BAD_ROWS.length,
  });
  expect(imported.errors.map((error: { row: number }) => error.row)).toEqual([502, 1002, 1502, 2002]);
}

/** Waits until every answer of the simulator has come in, bounces by DSN and complaints included. */
async function settled(tenant: Tenant, id: string) {
  const reported = async () => {
    const campaign = await tenant.ask('GET', `/campaigns/${id}`);
    return campaign.stats.bounced === SPECIAL.bounced + SPECIAL.dsn &&
      campaign.stats.complained === SPECIAL.complained &&
      campaign.stats.queued === 0 &&
      campaign.stats.deferred === 0
      ? campaign
      : null;
  };
  let campaign = await tenant.untilStatus(id, 'sent', 90_000);
  await waitUntil(async () => (campaign = await reported()) !== null, {
    what: 'all bounces and complaints',
  });
  return campaign;
}

async function expectEverythingShows(tenant: Tenant, id: string, label: string): Promise<void> {
  const bounced = SPECIAL.bounced + SPECIAL.dsn;
  const before = await settled(tenant, id);
  expect(before.stats).toMatchObject({
    recipients: COUNT,
    dropped: 0,
    delivered: COUNT - bounced,
    bounced,
    complained: SPECIAL.complained,
  });

  const people = Array.from({ length: 9 }, (_, i) => `delivered+${label}${i * 500}@simulator.test`);
  for (const [i, email] of people.entries()) {
    const { raw, open, click, unsubscribe } = await linksOf(email);
    expect(raw).toContain(`Hello Name${UNUSUAL + i * 500} in City${(UNUSUAL + i * 500) % 7}`);
    expect(await visit(open)).toBe(200);
    if (i < 5) expect(await visit(click)).toBe(302);
    if (i < 3) expect(await visit(unsubscribe, 'POST', 'List-Unsubscribe=One-Click')).toBe(200);
  }
  await waitUntil(async () => (await tenant.ask('GET', `/campaigns/${id}`)).stats.opened === 9, {
    what: 'the opens',
  });
  const { stats } = await tenant.ask('GET', `/campaigns/${id}`);
  expect(stats).toMatchObject({ opened: 9, clicked: 5, unsubscribed: 3 });

  const countOf = async (type: string) =>
    (await tenant.ask('GET', `/events?type=${type}&limit=100`)).items.length as number;
  expect(await countOf('bounce')).toBe(bounced);
  expect(await countOf('complaint')).toBe(SPECIAL.complained);
  expect(await countOf('open')).toBe(9);
  expect(await countOf('click')).toBe(5);
  expect(await countOf('unsubscribe')).toBe(3);

  const suppressed = async (reason: string) =>
    (await tenant.ask('GET', `/suppressions?reason=${reason}&limit=100`)).items.length as number;
  expect(await suppressed('bounce')).toBe(bounced);
  expect(await suppressed('complaint')).toBe(SPECIAL.complained);
  expect(await suppressed('unsubscribe')).toBe(3);
  expect((await tenant.ask('GET', `/contacts?email=${encodeURIComponent(people[0]!)}`)).items[0].status).toBe(
    'unsubscribed',
  );

  const [reputation] = (await tenant.ask('GET', '/reputation')).items;
  expect(reputation.metrics).toMatchObject({
    sent: COUNT,
    delivered: COUNT - bounced,
    bounced,
    complained: SPECIAL.complained,
    opened: 9,
    clicked: 5,
    unsubscribed: 3,
  });
}

test('imported with bad rows, sent, and every answer shows in events, stats, suppressions and reputation', async () => {
  const tenant = await world.makeTenant();
  await importAll(tenant, 'calm');
  const id = await launch(tenant);
  await expectEverythingShows(tenant, id, 'calm');
});

test('the same while senders and schedulers are killed', async () => {
  const tenant = await world.makeTenant();
  await importAll(tenant, 'storm');
  const id = await launch(tenant);
  for (const part of [0.15, 0.4, 0.65]) {
    await waitUntil(
      async () => {
        const { stats, status } = await tenant.ask('GET', `/campaigns/${id}`);
        return stats.delivered > COUNT * part || status === 'sent';
      },
      { limitMs: 60_000, what: `${part * 100} % delivered` },
    );
    const scheduler = world.schedulers.at(-1)!;
    const sender = world.stack.senders.at(-1)!;
    await Promise.all([scheduler.kill(), sender.kill()]);
    await world.stack.addSender({ SENDER_GRPC_PORT: sender.env['SENDER_GRPC_PORT']! });
    await world.addScheduler();
  }
  await settled(tenant, id);
  const { rows } = await world.stack.context.db.pool.query<{ n: number; contacts: number }>(
    'select count(*)::int as n, count(distinct contact_id)::int as contacts from messages where domain_id = $1',
    [tenant.domainId],
  );
  expect(rows[0]).toEqual({ n: COUNT, contacts: COUNT });
  await expectEverythingShows(tenant, id, 'storm');
}, 180_000);
