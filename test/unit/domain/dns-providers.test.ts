// DNS providers by their name servers: each row by a real name, and nobody by the name of somebody else.

import { expect, test } from 'vitest';

import { dnsProviderOf } from '../../../core/domain/dns-providers.ts';

test.each([
  ['cloudflare', ['ada.ns.cloudflare.com', 'bob.NS.cloudflare.com.']],
  ['route53', ['ns-1234.awsdns-26.org', 'ns-2048.awsdns-64.co.uk']],
  ['godaddy', ['ns01.domaincontrol.com']],
  ['namecheap', ['dns1.registrar-servers.com']],
  ['google-cloud', ['ns-cloud-a1.googledomains.com']],
  ['squarespace', ['ns1.squarespacedns.com']],
  ['ovh', ['dns19.ovh.net', 'ns19.ovh.net']],
  ['hetzner', ['hydrogen.ns.hetzner.com', 'helium.ns.hetzner.de']],
  ['ionos', ['ns1045.ui-dns.com', 'ns1045.ui-dns.de']],
  ['gandi', ['ns-12-a.gandi.net']],
  ['digitalocean', ['ns1.digitalocean.com']],
  ['azure', ['ns1-03.azure-dns.com', 'ns2-03.azure-dns.net']],
  ['linode', ['ns1.linode.com']],
  ['porkbun', ['curitiba.ns.porkbun.com']],
  ['vercel', ['ns1.vercel-dns.com']],
  ['wix', ['ns10.wixdns.net']],
])('%s', (id, nameServers) => {
  const found = dnsProviderOf(nameServers);
  expect(found).toMatchObject({ id, guide: expect.stringMatching(/^https:\/\//) });
});

test.each([
  [[]],
  [['ns1.example.com']],
  [['cloudflare.com.evil.test']],
  [['notns.cloudflare.com.example']],
  [['ada.ns.cloudflare.com', 'ns1.example.com']], // of two: neither page has all records
])('nobody for %j', (nameServers) => expect(dnsProviderOf(nameServers)).toBeNull());
