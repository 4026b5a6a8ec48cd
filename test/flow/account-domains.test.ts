// Sending domains over REST: added, published wrongly, repaired, verified, rotated, deleted; and whose they are.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

interface Published {
  purpose: string;
  type: DnsRecord['type'];
  name: string;
  value: string;
  priority: number | null;
  required: boolean;
  status: string;
  problem: string | null;
}

let world: ApiWorld;
let dns: DnsListener;
const zone = new Zone();
const SCOPES = ['domains:read', 'domains:write'];

beforeAll(async () => {
  dns = await startDnsServer(zone, 0);
  world = await createApiWorld({
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    INBOUND_HOSTNAME: 'mx.postrider.example',
    OUTBOUND_HOSTNAME: 'out.postrider.example',
    PUBLIC_URL: 'https://mail.postrider.example',
    ACME_DIRECTORY_URL: 'https://acme.postrider.example/directory', // so that there are tracking hosts
  });
});
afterAll(async () => {
  await world.close();
  await dns.stop();
});

const publish = (records: Published[], change: (record: Published) => Partial<Published> = () => ({})) =>
  zone.add(
    records.map((record) => {
      const { type, name, value, priority } = { ...record, ...change(record) };
      return { type, name, value, priority: priority ?? 0 };
    }),
  );
const recordOf = (records: Published[], purpose: string) => records.find((one) => one.purpose === purpose)!;

test('added with exact records, says in words what is wrong, verified once it is right', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  const made = await world.call('POST', '/mail/domains', { key, body: { name: 'Shop.Example.COM' } });
  expect(made).toMatchObject({
    status: 201,
    json: {
      data: {
        name: 'shop.example.com',
        status: 'pending',
        dkim: { algorithm: 'rsa-sha256', status: 'pending' },
        warmup: { tier: 0, cap: 50, used: 0, state: 'active', paused_reason: null },
        inbound_enabled: true,
        transactional_reserve: 0,
        complaint_address: 'complaints@bounces.shop.example.com',
        verified_at: null,
      },
    },
  });
  const { id, records, dkim, warmup } = made.json.data;
  expect(warmup.day).toBe(new Date().toISOString().slice(0, 10));
  expect(recordOf(records, 'dkim')).toMatchObject({
    type: 'TXT',
    name: `${dkim.selector}._domainkey.shop.example.com`,
    value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{300,}$/),
    required: true,
    status: 'pending',
  });
  expect(recordOf(records, 'return_path')).toMatchObject({
    type: 'MX',
    name: 'bounces.shop.example.com',
    value: 'mx.postrider.example',
    priority: 10,
    required: true,
  });
  expect(records.map((one: Published) => one.purpose)).toEqual([
    'dkim',
    'return_path',
    'spf',
    'dmarc',
    'mx',
    'tracking',
    'tls_rpt',
  ]);

  // One level too high, the zone doubled, a second SPF record, no DMARC.
  const wrong: Record<string, Partial<Published>> = {
    dkim: { name: `${dkim.selector}._domainkey.shop.example.com.shop.example.com` },
    return_path: { name: 'bounces.example.com' },
  };
  const mistaken = records.filter((one: Published) => one.purpose !== 'dmarc');
  await publish(mistaken, (one) => wrong[one.purpose] ?? {});
  await zone.add([{ type: 'TXT', name: 'bounces.shop.example.com', value: 'v=spf1 -all' }]);
  const failed = await world.call('POST', `/mail/domains/${id}/verify`, { key });
  expect(failed).toMatchObject({ status: 200, json: { data: { status: 'pending' } } });
  const problem = (purpose: string) => recordOf(failed.json.data.records, purpose).problem;
  expect(problem('dkim')).toMatch(/instead of .*your DNS provider appends the domain automatically/);
  expect(problem('return_path')).toMatch(/one level too high/);
  expect(problem('spf')).toMatch(/two SPF records/);
  expect(problem('dmarc')).toMatch(/no .*(DMARC|TXT) record/i);

  await zone.remove(zone.find('bounces.shop.example.com') ?? []);
  await publish(records);
  const verified = await world.call('POST', `/mail/domains/${id}/verify`, { key });
  expect(verified.json.data).toMatchObject({ status: 'verified', dkim: { status: 'found' }, problem: null });
  expect(verified.json.data.verified_at).toMatch(/^\d{4}-.*\.\d{3}Z$/);
  expect((await world.call('GET', `/mail/domains/${id}`, { key })).json.data.status).toBe('verified');
});

test('a key rotation publishes both keys and switches when the new one is seen', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  const made = await world.call('POST', '/mail/domains', { key, body: { name: 'rotate.example.com' } });
  const { id, records, dkim } = made.json.data;
  await publish(records);
  await world.call('POST', `/mail/domains/${id}/verify`, { key });

  const started = await world.call('POST', `/mail/domains/${id}/dkim-rotation`, { key });
  expect(started.status).toBe(201);
  const both: Published[] = started.json.data.records.filter((one: Published) => one.purpose === 'dkim');
  expect(both).toHaveLength(2);
  expect(started.json.data.dkim.selector).toBe(dkim.selector);
  expect((await world.call('POST', `/mail/domains/${id}/dkim-rotation`, { key })).status).toBe(409);

  await publish(both.filter((one) => one.status === 'pending'));
  const switched = await world.call('POST', `/mail/domains/${id}/verify`, { key });
  expect(switched.json.data).toMatchObject({ status: 'verified', dkim: { status: 'found' } });
  expect(switched.json.data.dkim.selector).not.toBe(dkim.selector);

  await world.call('POST', `/mail/domains/${id}/dkim-rotation`, { key });
  const given = await world.call('DELETE', `/mail/domains/${id}/dkim-rotation`, { key });
  expect(given.json.data).toEqual({ id, deleted: true });
  const after = await world.call('GET', `/mail/domains/${id}`, { key });
  expect(after.json.data.records.filter((one: Published) => one.purpose === 'dkim')).toHaveLength(1);
});

test('listed in pages, changed, deleted; a bad name is 422, a held one 409, another tenant’s 404', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  const ids: string[] = [];
  for (const name of ['a.example.com', 'b.example.com', 'c.example.com']) {
    ids.unshift((await world.call('POST', '/mail/domains', { key, body: { name } })).json.data.id);
  }
  const first = await world.call('GET', '/mail/domains?limit=2', { key });
  const rest = await world.call('GET', `/mail/domains?after=${first.json.data.next_cursor}`, { key });
  expect([...first.json.data.items, ...rest.json.data.items].map((one) => one.id)).toEqual(ids);
  expect(rest.json.data.next_cursor).toBeNull();
  expect((await world.call('GET', '/mail/domains?after=x', { key })).status).toBe(422);

  const path = `/mail/domains/${ids[0]}`;
  const body = { inbound_enabled: false, transactional_reserve: 20 };
  expect((await world.call('PATCH', path, { key, body })).json.data).toMatchObject(body);
  for (const bad of [{ transactional_reserve: 91 }, { transactional_reserve: 1.5 }, { name: 'x.org' }]) {
    expect((await world.call('PATCH', path, { key, body: bad })).status).toBe(422);
  }
  for (const name of ['localhost', 'co.uk', 'bounces.example.com', 'a b.com', 'x'.repeat(321), '\0.com', 7]) {
    const refused = await world.call('POST', '/mail/domains', { key, body: { name } });
    expect(refused, String(name)).toMatchObject({ status: 422, json: { error: 'validation_failed' } });
  }
  const again = await world.call('POST', '/mail/domains', { key, body: { name: 'A.example.com.' } });
  expect(again).toMatchObject({ status: 409, json: { error: 'conflict' } });

  const stranger = await world.makeKey({ scopes: SCOPES });
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await world.call(method, path, {
      key: stranger.key,
      ...(method === 'PATCH' ? { body: {} } : {}),
    });
    expect(answer).toMatchObject({ status: 404, json: { error: 'not_found' } });
  }
  expect((await world.call('DELETE', path, { key })).json.data).toEqual({ id: ids[0], deleted: true });
  expect((await world.call('GET', path, { key })).status).toBe(404);
});
