// Who keeps the DNS of a domain: looked up once for its page.

import { useQuery } from 'urql';

import { DomainHostingDocument, type DomainHostingQuery } from '../../gen/pages/domains/domain.ts';

/** What DNS says about a domain. */
export type Hosting = NonNullable<DomainHostingQuery['domain']>['dnsHosting'];

/** Undefined while it is asked, and where that failed. */
export function useHosting(id: string): Hosting | undefined {
  const [{ data }] = useQuery({
    query: DomainHostingDocument,
    variables: { id },
    requestPolicy: 'cache-first', // mutations of the domain change nothing about it
  });
  return data?.domain?.dnsHosting;
}

/** A record's name as the provider's form wants it. */
export function nameFor(hosting: Hosting | undefined, name: string): string {
  const { zone, provider } = hosting ?? {};
  if (!zone || provider?.relativeNames !== true) return name;
  if (name === zone) return provider.apex;
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** A record's value as the provider's form wants it. */
export function valueFor(hosting: Hosting | undefined, type: string, value: string): string {
  return hosting?.provider?.dottedValues === true && type !== 'TXT' ? `${value}.` : value;
}
