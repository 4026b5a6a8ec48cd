import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDns, type Dns } from '../../../core/clients/dns.ts';
import { findAddresses, findMailHosts, siteOf } from '../../../sender/smtp/mx.ts';
import { findTarget } from '../../../sender/smtp/target.ts';
import { isPublicAddress } from '../../../sender/smtp/public-address.ts';
import { startDnsPeer, type DnsPeer } from '../../harness/dns-peer.ts';

let peer: DnsPeer;
let dns: Dns;

beforeAll(async () => {
  peer = await startDnsPeer({
    'two.test': {
      mx: [
        [20, 'Backup.two.test'],
        [10, 'main.two.test'],
      ],
    },
    'equal.test': {
      mx: [
        [10, 'a.equal.test'],
        [10, 'b.equal.test'],
      ],
    },
    'many.test': { mx: Array.from({ length: 12 }, (_, n) => [n, `h${n}.many.test`] as [number, string]) },
    'h0.many.test': { a: Array.from({ length: 6 }, (_, n) => `8.8.8.${n + 1}`) },
    'implicit.test': { a: ['192.0.2.1'] },
    'null.test': { mx: [[0, '.']] },
    'empty.test': {},
    'broken.test': { fail: true },
    'inside.test': { a: ['10.0.0.1', '127.0.0.1'] },
    'mixed.test': { a: ['169.254.169.254', '8.8.8.8'] },
  });
  dns = createDns({ DNS_SERVERS: [peer.address] });
});

afterAll(() => peer.close());

const OUTBOUND = {
  OUTBOUND_HOSTNAME: 'out.test',
  OUTBOUND_SMTP_PORT: 25,
  OUTBOUND_ALLOW_PRIVATE: false,
  OUTBOUND_TIMEOUT_SECONDS: 1,
  OUTBOUND_DOT_TIMEOUT_SECONDS: 1,
};

const hosts = (domain: string, random = () => 0.5) => findMailHosts(dns, domain, random);

describe('findMailHosts', () => {
  test('MX hosts in order of preference', async () => {
    expect(await hosts('two.test')).toEqual({ ok: true, hosts: ['main.two.test', 'Backup.two.test'] });
  });

  test('more than 8 hosts, and more than 4 addresses of one, are all tried over the attempts', async () => {
    const config = { ...OUTBOUND, OUTBOUND_TLS: 'off' as const };
    const deps = { dns, config, findProvider: () => null, random: Math.random };
    const target = await findTarget(deps as never, { name: 'direct', weight: 1 }, 'many.test');
    if ('kind' in target) throw new Error(target.detail);
    const seen = new Set<string>();
    const addresses = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const tried = target.hosts();
      expect(tried).toHaveLength(8);
      expect(tried.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5].map((host) => `h${host}.many.test`));
      for (const host of tried) seen.add(host);
      const endpoints = await target.endpoints('h0.many.test');
      if (!Array.isArray(endpoints)) throw new Error(endpoints.detail);
      expect(endpoints).toHaveLength(4);
      for (const { address } of endpoints) addresses.add(address);
    }
    expect([seen.size, addresses.size]).toEqual([12, 6]);
  });

  test('equal preferences in random order', async () => {
    const orders = new Set<string>();
    for (let n = 0; n < 50; n += 1) orders.add(JSON.stringify(await hosts('equal.test', Math.random)));
    expect(orders.size).toBe(2);
  });

  test('no MX: the domain itself (RFC 5321 section 5.1)', async () => {
    expect(await hosts('implicit.test')).toEqual({ ok: true, hosts: ['implicit.test'] });
  });

  test('null MX is permanent, with the code of RFC 7505', async () => {
    expect(await hosts('null.test')).toMatchObject({ ok: false, permanent: true, enhanced: '5.1.10' });
  });

  test('NXDOMAIN is permanent', async () => {
    expect(await hosts('absent.test')).toMatchObject({ ok: false, permanent: true, enhanced: '5.1.2' });
  });

  test('SERVFAIL is worth another try', async () => {
    expect(await hosts('broken.test')).toMatchObject({ ok: false, permanent: false });
  });

  test('an answer is asked for once, however many want it', async () => {
    peer.zone['cached.test'] = { mx: [[1, 'mx.cached.test']] };
    await Promise.all(Array.from({ length: 50 }, () => hosts('cached.test')));
    await hosts('CACHED.test');
    expect(peer.questions.filter((question) => question === 'MX cached.test')).toHaveLength(1);
  });
});

describe('findAddresses', () => {
  test('a host without an address is permanent', async () => {
    expect(await findAddresses(dns, 'empty.test', false)).toMatchObject({ ok: false, permanent: true });
  });

  test('private addresses are left out, and a host with no other has none', async () => {
    expect(await findAddresses(dns, 'mixed.test', false)).toEqual({ ok: true, addresses: ['8.8.8.8'] });
    expect(await findAddresses(dns, 'inside.test', false)).toMatchObject({ ok: false, permanent: true });
    expect(await findAddresses(dns, 'inside.test', true)).toMatchObject({ ok: true });
  });
});

test('hosts in another order are the same site', () => {
  expect(siteOf(['B.test', 'a.test'])).toBe(siteOf(['a.test', 'b.test']));
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
