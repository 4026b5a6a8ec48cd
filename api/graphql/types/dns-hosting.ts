// The field `dnsHosting` of Domain: who keeps its DNS, and where its mail goes now.

import type { MxRecord } from '../../../core/clients/dns.ts';
import { readDnsHosting, type DnsHosting } from '../../../core/domain/dns-hosting.ts';
import type { DnsProvider } from '../../../core/domain/dns-providers.ts';
import type { Builder } from '../builder.ts';
import type { DomainTypes } from './domain.ts';

const COST = 200; // seven look-ups at most, and seconds: not for every row of a list

/** Adds the field. */
export function addDnsHosting(builder: Builder, { domain }: DomainTypes): void {
  const provider = builder.objectRef<DnsProvider>('DnsProvider').implement({
    description: 'A DNS provider, in the words of its own pages',
    fields: (t) => ({
      id: t.exposeString('id'),
      name: t.exposeString('name'),
      place: t.exposeString('place', { description: 'Where records are edited' }),
      nameField: t.exposeString('nameField', { description: 'What its form calls the name of a record' }),
      valueField: t.exposeString('valueField', { description: 'What its form calls the value of a record' }),
      relativeNames: t.exposeBoolean('relativeNames', {
        description: 'Names are given without the zone, which is added to them',
      }),
      apex: t.exposeString('apex', {
        description:
          'What stands for the zone itself, where names are relative; empty: the field is left empty',
      }),
      dottedValues: t.exposeBoolean('dottedValues', {
        description: 'A host name in a value needs a dot at its end',
      }),
      guide: t.exposeString('guide', { description: 'URL of its documentation' }),
    }),
  });
  const mailServer = builder.objectRef<MxRecord>('DnsMailServer').implement({
    description: 'An MX record as it is published now',
    fields: (t) => ({
      host: t.exposeString('exchange', { description: 'Empty: the domain accepts no mail (null MX)' }),
      priority: t.exposeInt('priority'),
    }),
  });
  const hosting = builder.objectRef<DnsHosting>('DnsHosting').implement({
    description: 'Who keeps the DNS of a domain, and where its mail goes: looked up now',
    fields: (t) => ({
      zone: t.exposeString('zone', {
        nullable: true,
        description: 'The zone that its records belong to; null: DNS did not say',
      }),
      nameServers: t.exposeStringList('nameServers'),
      provider: t.expose('provider', {
        type: provider,
        nullable: true,
        description: 'Null: not recognised by its name servers',
      }),
      mx: t.expose('mx', {
        type: [mailServer],
        nullable: true,
        description: 'The preferred server first; null: DNS did not answer',
      }),
    }),
  });
  builder.objectField(domain, 'dnsHosting', (t) =>
    t.field({
      type: hosting,
      complexity: COST,
      resolve: ({ name }, _args, { deps }) => readDnsHosting(deps.dns, name),
    }),
  );
}
