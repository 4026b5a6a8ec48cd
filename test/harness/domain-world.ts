// Sending domains beside a DNS server whose zone a test fills: what their stories share.

import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import type { DomainView } from '../../core/domain/domain.ts';
import { createDomain, type DomainDeps } from '../../core/domain/domains.ts';
import { verifyDomain, type VerifyDeps } from '../../core/domain/verify-domain.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { startDnsServer } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
import { TESTER } from './actor.ts';
import { createContext, type Context } from './context.ts';

/** One test file's database, DNS and tenant. */
export interface DomainWorld {
  context: Context;
  zone: Zone;
  deps: VerifyDeps & DomainDeps;
  /** The tenant that domains belong to unless a test says otherwise. */
  tenantId: string;
  close(): Promise<void>;
}

/** Starts it all. `more` are further settings. */
export async function createDomainWorld(more: Record<string, string> = {}): Promise<DomainWorld> {
  const zone = new Zone();
  const dns = await startDnsServer(zone, 0);
  const context = await createContext({
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    INBOUND_HOSTNAME: 'mx.postrider.example',
    OUTBOUND_HOSTNAME: 'out.postrider.example',
    PUBLIC_URL: 'https://mail.postrider.example',
    ACME_DIRECTORY_URL: 'https://acme.postrider.example/directory', // so that there are tracking hosts
    ...more,
  });
  const { db, config, log } = context;
  return {
    context,
    zone,
    deps: { db, config, log, dns: createDomainDns(config) },
    tenantId: await makeTenantIn(context),
    close: async () => {
      await dns.stop();
      await context.close();
    },
  };
}

const makeTenantIn = async (context: Context) =>
  (await createTenant(context, TESTER, { name: 'T', plan: 'pro' })).id;

/** What tests do with domains; `of` gives the world once it is there. */
export function domainSteps(of: () => DomainWorld) {
  let count = 0;
  const create = (more: { name?: string; tenantId?: string } = {}) =>
    createDomain(
      of().deps,
      TESTER,
      more.tenantId ?? of().tenantId,
      more.name ?? `shop${++count}.example.com`,
    );
  const verifyIt = (view: DomainView) => verifyDomain(of().deps, TESTER, view.tenantId, view.id);
  const recordOf = (view: DomainView, purpose: string) =>
    view.records.find((one) => one.purpose === purpose)!;
  const add = (record: Pick<DnsRecord, 'type' | 'name' | 'value'>) =>
    of().zone.add([{ priority: 10, ...record }]);
  const remove = async (name: string) => of().zone.remove(of().zone.find(name) ?? []);
  const publish = async (view: DomainView, ...purposes: string[]) => {
    for (const record of view.records)
      if (purposes.length === 0 || purposes.includes(record.purpose)) await add(record);
  };
  return {
    makeTenant: () => makeTenantIn(of().context),
    create,
    verifyIt,
    recordOf,
    add,
    remove,
    publish,
    unpublish: (view: DomainView, purpose: string) => remove(recordOf(view, purpose).name),
    async verified(more: Parameters<typeof create>[0] = {}): Promise<DomainView> {
      const view = await create(more);
      await publish(view);
      return verifyIt(view);
    },
  };
}
