import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { DnsRecordInput } from '../../local/simulator/zone.ts';
import { testSimulator } from '../harness/simulator.ts';
import { tempFolder } from '../harness/temp-folder.ts';

async function simulatorWith(records: DnsRecordInput[] = []) {
  const { simulator, client } = await testSimulator();
  await client.addRecords(records);
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${simulator.dnsPort}`]);
  return { simulator, client, resolver };
}

test('the built-in zone leads to the simulator itself', async () => {
  const { resolver } = await simulatorWith();
  expect(await resolver.resolveMx('simulator.test')).toMatchObject([
    { exchange: 'mx.simulator.test', priority: 10 },
  ]);
  expect(await resolver.resolve4('mx.simulator.test')).toEqual(['127.0.0.1']);
});

test('every type of record is answered as it was given', async () => {
  const { resolver } = await simulatorWith([
    { type: 'A', name: 'a.test', value: '192.0.2.1' },
    { type: 'A', name: 'A.test.', value: '192.0.2.2' },
    { type: 'AAAA', name: 'a.test', value: '2001:db8::1' },
    { type: 'MX', name: 'a.test', value: 'mx.simulator.test.', priority: 5 },
    { type: 'TXT', name: '_dmarc.a.test', value: 'v=DMARC1; p=none' },
    { type: 'CNAME', name: 'www.a.test', value: 'a.test' },
    { type: 'NS', name: 'a.test', value: 'ns.a.test' },
  ]);
  expect((await resolver.resolve4('a.test')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(await resolver.resolve6('a.test')).toEqual(['2001:db8::1']);
  expect(await resolver.resolveMx('a.test')).toMatchObject([{ exchange: 'mx.simulator.test', priority: 5 }]);
  expect(await resolver.resolveTxt('_dmarc.a.test')).toEqual([['v=DMARC1; p=none']]);
  expect(await resolver.resolveCname('www.a.test')).toEqual(['a.test']);
  expect((await resolver.resolve4('www.a.test')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(await resolver.resolveNs('a.test')).toEqual(['ns.a.test']);
});

test('a long TXT comes in strings of 255 octets, and over TCP when it does not fit a datagram', async () => {
  const value = 'v=DKIM1; k=rsa; p='.padEnd(3_000, 'abcdefghij');
  const { resolver } = await simulatorWith([{ type: 'TXT', name: 'long._domainkey.a.test', value }]);
  const [strings] = await resolver.resolveTxt('long._domainkey.a.test');
  expect(strings!.join('')).toBe(value);
  expect(Math.max(...strings!.map((text) => text.length))).toBe(255);
});

test('an unknown name is NXDOMAIN, a known one without such records an empty answer', async () => {
  const { resolver } = await simulatorWith([{ type: 'A', name: 'a.test', value: '192.0.2.1' }]);
  await expect(resolver.resolve4('nobody.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolver.resolveMx('a.test')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('a null MX says that a domain accepts no mail', async () => {
  const { resolver } = await simulatorWith([{ type: 'MX', name: 'nomail.test', value: '.', priority: 0 }]);
  expect(await resolver.resolveMx('nomail.test')).toMatchObject([{ exchange: '', priority: 0 }]);
});

test('records that were removed are gone at once', async () => {
  const records: DnsRecordInput[] = [{ type: 'TXT', name: 'a.test', value: 'x' }];
  const { client, resolver } = await simulatorWith(records);
  expect(await resolver.resolveTxt('a.test')).toEqual([['x']]);
  await client.removeRecords(records);
  await expect(resolver.resolveTxt('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('added records survive a restart when there is a zone file', async () => {
  const zoneFile = join(await tempFolder(), 'zone.json');
  const first = await testSimulator({ zoneFile });
  await first.client.addRecords([{ type: 'A', name: 'kept.test', value: '192.0.2.1' }]);
  await first.simulator.stop();
  expect(await readFile(zoneFile, 'utf8')).toContain('kept.test');
  const second = await testSimulator({ zoneFile });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${second.simulator.dnsPort}`]);
  expect(await resolver.resolve4('kept.test')).toEqual(['192.0.2.1']);
});

test('garbage over TCP does no harm', async () => {
  const { simulator, resolver } = await simulatorWith();
  const socket = connect(simulator.dnsPort, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(Buffer.from([0, 5, 1, 2, 3, 4, 5]));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await resolver.resolve4('mx.simulator.test')).toEqual(['127.0.0.1']);
});
