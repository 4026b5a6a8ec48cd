// Sender rules against a real DNS server: a domain before and after its records are there, a campaign before its launch, a DNS
// server that does not answer.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { fromId } from '../../core/base/ids.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { preflightDomain } from '../../core/preflight/preflight.ts';
import { RULES } from '../../core/preflight/rules.ts';
import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { startRefusingDns } from '../harness/refusing-dns.ts';
import { login, makePerson } from '../harness/sign-in.ts';

const NAME = 'news.shop.example';
const HOST = 'out.postrider.example';
const ADDRESS = '11.22.33.44';

const zone = new Zone();
let dns: DnsListener;
let world: ApiWorld;
let key: string;
let tenantId: string;
let domain: { id: string; records: (Pick<DnsRecord, 'type' | 'name' | 'value'> & { purpose: string })[] };

beforeAll(async () => {
  dns = await startDnsServer(zone, 0);
  world = await createApiWorld({
    TRUSTED_PROXIES: '127.0.0.1',
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    INBOUND_HOSTNAME: 'mx.postrider.example',
    OUTBOUND_HOSTNAME: HOST,
    PUBLIC_URL: 'https://mail.postrider.example',
  });
  ({ key, tenantId } = await world.makeKey({ scopes: [...SCOPES] }));
  domain = (await ask('POST', '/mail/domains', { name: NAME })).data;
});
afterAll(async () => {
  await world.close();
  await dns.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely and assert what they find
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await world.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}
const add = (...records: Pick<DnsRecord, 'type' | 'name' | 'value'>[]) =>
  zone.add(records.map((record) => ({ priority: 10, ...record })));
const drop = async (name: string) => zone.remove(zone.find(name) ?? []);
const statuses = ({ checks }: { checks: { id: string; status: string }[] }) =>
  Object.fromEntries(checks.map(({ id, status }) => [id, status]));
const ofDomain = async () => (await ask('GET', `/mail/domains/${domain.id}/preflight`)).data;

test('a domain without records fails, and says what to publish', async () => {
  const found = await ofDomain();
  expect(found).toMatchObject({ ok: false, bulk_allowed_per_day: 50 });
  expect(statuses(found)).toEqual({
    spf: 'fail',
    dkim: 'fail',
    dmarc: 'warn',
    alignment: 'fail',
    return_path: 'fail',
    one_click: 'pass',
    reverse_dns: 'warn',
    tls: 'pass',
    tracking_host: 'warn',
    free_mail: 'pass',
  });
  const dkim = found.checks.find(({ id }: { id: string }) => id === 'dkim');
  expect(dkim.fix).toContain(domain.records.find(({ purpose }) => purpose === 'dkim')!.value.slice(0, 100));
  expect(dkim.docs).toBe('docs/deliverability.md#rule-dkim');
});

test('with its records, and a name that leads back to the source, it passes', async () => {
  await add(...domain.records);
  await add(
    { type: 'A', name: HOST, value: ADDRESS },
    { type: 'PTR', name: '44.33.22.11.in-addr.arpa', value: HOST },
  );
  const found = await ofDomain();
  const rest = found.checks.filter(({ status }: { status: string }) => status !== 'pass');
  expect(rest).toMatchObject([
    { id: 'tracking_host', status: 'warn', fix: expect.stringContaining('ACME_DIRECTORY_URL') },
  ]);
  expect(found.ok).toBe(true);
});

test('a domain with a pool is judged by the addresses of its pool', async () => {
  const { context } = world;
  const EGRESS_POOLS = [
    { name: 'main', sources: [{ address: '11.22.33.55', hostname: `mail1.${HOST}`, warmup: false }] },
  ];
  const uuid = fromId('dom', domain.id)!;
  await context.db.pool.query(`update domains set pool = 'main' where id = $1`, [uuid]);
  const checks = async () => {
    const dns = createDomainDns(context.config);
    const config = { ...context.config, EGRESS_POOLS };
    const found = await preflightDomain({ db: context.db, dns, config }, tenantId, uuid);
    return found.checks.filter(({ id }) => id === 'reverse_dns' || id === 'spf');
  };
  expect(await checks()).toMatchObject([
    { id: 'spf', status: 'fail', found: expect.stringContaining('11.22.33.55') },
    { id: 'reverse_dns', status: 'fail', found: '11.22.33.55 has no PTR record' },
  ]);
  await add(
    { type: 'A', name: HOST, value: '11.22.33.55' },
    { type: 'A', name: `mail1.${HOST}`, value: '11.22.33.55' },
    { type: 'PTR', name: '55.33.22.11.in-addr.arpa', value: `mail1.${HOST}` },
  );
  expect(await checks()).toMatchObject([{ status: 'pass' }, { status: 'pass' }]);
  await context.db.pool.query(`update domains set pool = null where id = $1`, [uuid]);
  await drop(`mail1.${HOST}`);
  await drop(HOST);
  await add({ type: 'A', name: HOST, value: ADDRESS });
});

test('an SPF record of more than ten look-ups fails, also when it names us behind them', async () => {
  const name = `bounces.${NAME}`;
  const mx = zone.find(name)!.filter(({ type }) => type === 'MX');
  const includes = Array.from({ length: 11 }, (_, i) => `spf${i}.example`);
  for (const one of includes) await add({ type: 'TXT', name: one, value: 'v=spf1 ip4:192.0.2.1 ~all' });
  const withSpf = async (value: string) => {
    await drop(name);
    await zone.add(mx);
    await add({ type: 'TXT', name, value });
    const { checks } = await ofDomain();
    return checks.find(({ id }: { id: string }) => id === 'spf');
  };
  const all = includes.map((one) => `include:${one}`).join(' ');
  expect(await withSpf(`v=spf1 ${all} a:${HOST} ~all`)).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('permerror'),
  });
  expect(await withSpf(`v=spf1 a:${HOST} ${all} ~all`)).toMatchObject({ status: 'warn' });
  expect(await withSpf(`v=spf1 a:${HOST} ~all`)).toMatchObject({ status: 'pass' });
});

test('a DNS server that refuses or is silent is a warning with advice, and soon', async () => {
  for (const silent of [false, true]) {
    const refusing = await startRefusingDns(silent);
    const deps = { ...world.deps, dns: createDomainDns({ DNS_SERVERS: [refusing.address] }) };
    const { checks, ok } = await preflightDomain(deps, tenantId, fromId('dom', domain.id)!);
    await refusing.close();
    const asked = checks.filter(({ id }) => !['one_click', 'tls', 'free_mail'].includes(id));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 'warn'));
    expect(asked.find(({ id }) => id === 'dkim')!.fix).toContain('Try again');
    expect(ok).toBe(true);
  }
});

test('a campaign: its words, whom it reaches, and the plan by day; GraphQL says the same', async () => {
  const list = (await ask('POST', '/contacts/lists', { name: 'L' })).data.id;
  const emails = Array.from({ length: 60 }, (_, i) => `c${i}@example.net`);
  const contacts = emails.map((email, i) => ({ email, ...(i < 40 && { first_name: 'Ann' }) }));
  for (const contact of contacts) {
    const { rows } = await world.context.db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key, first_name)
       values (gen_random_uuid(), $1, $2, $2, $3) returning id`,
      [tenantId, contact.email, contact.first_name ?? null],
    );
    await world.context.db.pool.query('insert into contact_list_members values ($1, $2, $3)', [
      tenantId,
      fromId('lst', list),
      rows[0].id,
    ]);
  }
  await ask('POST', '/suppressions', { emails: emails.slice(0, 2), reason: 'bounce' });
  await ask('POST', '/suppressions', { emails: emails.slice(2, 3), reason: 'unsubscribe' });
  await world.context.db.pool.query(`update domains set status = 'verified' where tenant_id = $1`, [
    tenantId,
  ]);
  const campaign = (
    await ask('POST', '/campaigns', {
      name: 'June',
      from: `News <news@${NAME}>`,
      subject: 'Hi {{ first_name }}',
      html: `<p>{{ first_name }} <a href="https://bit.ly/x">Buy</a></p><p>${'long words '.repeat(11_000)}</p>`,
      audience: { list_id: list },
    })
  ).data.id as string;
  const found = (await ask('POST', `/campaigns/${campaign}/preflight`)).data;
  expect(Object.keys(statuses(found))).toEqual(Object.keys(RULES));
  expect(statuses(found)).toMatchObject({
    dkim: 'pass',
    visible_unsubscribe: 'fail',
    variables: 'warn',
    size: 'warn',
    links: 'warn',
    audience: 'pass',
  });
  expect(found.checks.find(({ id }: { id: string }) => id === 'variables').found).toContain(
    'first_name: 20 of 59',
  );
  expect(found.audience).toEqual({
    total: 60,
    sendable: 57,
    unsubscribed: 1,
    suppressed: 2,
    left_out: [
      { reason: 'suppressed_bounce', contacts: 2 },
      { reason: 'suppressed_unsubscribe', contacts: 1 },
    ],
  });
  expect(found.plan.days.map(({ sends }: { sends: number }) => sends)).toEqual([50, 7]);
  expect(found.plan.left).toBe(0);
  await ask('PATCH', `/campaigns/${campaign}`, {
    subject: 'Hi',
    html: `<p>Hello</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>`,
  });
  expect((await ask('POST', `/campaigns/${campaign}/preflight`)).data.ok).toBe(true);

  const { token } = await login(world, await makePerson(world, 'viewer', { tenantId }));
  const query = `query ($id: ID!, $domain: ID!) {
    campaign(id: $id) { preflight { ok checks { id status } audience { total sendable } plan { days { sends } left } } }
    domain(id: $domain) { preflight { ok bulkAllowedPerDay checks { id status found expected fix docs } } } }`;
  const answer = await world.graphql(query, { id: campaign, domain: domain.id }, { key: token });
  expect(answer.json.errors).toBeUndefined();
  expect(answer.json.data.campaign.preflight).toMatchObject({
    ok: true,
    audience: { total: 60, sendable: 57 },
    plan: { days: [{ sends: 50 }, { sends: 7 }], left: 0 },
  });
  const { ok, bulk_allowed_per_day, checks } = await ofDomain();
  expect(answer.json.data.domain.preflight).toEqual({ ok, bulkAllowedPerDay: bulk_allowed_per_day, checks });
});
