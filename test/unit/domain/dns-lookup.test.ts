// Look-ups of verification against servers in trouble: distinguished from "not there", and over soon.

import { expect, test } from 'vitest';

import { createDomainDns } from '../../../core/domain/dns-lookup.ts';
import { startRefusingDns } from '../../harness/refusing-dns.ts';

test('SERVFAIL is trouble, not absence', async () => {
  const server = await startRefusingDns();
  const dns = createDomainDns({ DNS_SERVERS: [server.address] });
  for (const ask of [dns.txt, dns.mx, dns.cname])
    expect(await ask('example.com')).toEqual({ kind: 'unavailable', detail: 'ESERVFAIL' });
  await server.close();
});

test('a server that never answers is trouble, and over soon', async () => {
  const server = await startRefusingDns(true);
  const dns = createDomainDns({ DNS_SERVERS: [server.address] });
  const answers = await Promise.all(['a.example', 'b.example', 'c.example'].map((name) => dns.txt(name)));
  for (const answer of answers) expect(answer.kind).toBe('unavailable');
  await server.close();
}); // 4 s on an idle machine, minutes with the resolver's own patience
