// What needs an operator's attention, over all tenants.

import { toId } from '../../../core/base/ids.ts';
import {
  DOMAIN_PROBLEMS,
  type ExpiringCertificate,
  type FailingWebhook,
  type TroubledDomain,
  type WaitingMail,
} from '../../../core/service-health/health-store.ts';
import {
  readExpiringCertificates,
  readExpiringCertificatesOf,
  readFailingWebhooks,
  readFailingWebhooksOf,
  readTroubledDomains,
  readWaitingMail,
} from '../../../core/service-health/service-health.ts';
import type { Builder } from '../builder.ts';
import type { TenantTypes } from './tenant.ts';

const superAdmin = { superAdmin: true };

/** Adds the types, `serviceHealth`, and the webhooks and certificates of one tenant that need attention; for super-admins. */
export function addServiceHealthTypes(builder: Builder, { tenant }: Pick<TenantTypes, 'tenant'>): void {
  const problem = builder.enumType('DomainProblem', { values: DOMAIN_PROBLEMS });
  const domain = builder.objectRef<TroubledDomain>('TroubledDomain').implement({
    description: 'A sending domain of any tenant, with one of its problems',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      tenant: t.exposeString('tenant', { description: 'Name of the tenant' }),
      domainId: t.id({ resolve: ({ domainId }) => toId('dom', domainId) }),
      domain: t.exposeString('domain'),
      problem: t.expose('problem', { type: problem }),
      since: t.expose('since', { type: 'DateTime', nullable: true, description: 'Null for `high_bounces`' }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Why the domain is paused or braked; null for the other problems',
      }),
      bounceRate: t.exposeFloat('bounceRate', {
        nullable: true,
        description:
          'Share of the messages sent since yesterday, 00:00 UTC, that bounced, as 0 to 1; only for `high_bounces`',
      }),
    }),
  });
  const waiting = builder.objectRef<WaitingMail>('WaitingMail').implement({
    description: 'Mail of one domain that waits for one reason',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      tenant: t.exposeString('tenant', { description: 'Name of the tenant' }),
      domain: t.exposeString('domain'),
      reason: t.exposeString('reason', {
        description: 'A defer reason, or `queued` for mail that is due and that no sender has claimed',
      }),
      count: t.exposeInt('count', {
        description: 'Messages; at least as many, if very many messages of all tenants wait',
      }),
      oldestAt: t.expose('oldestAt', {
        type: 'DateTime',
        description: 'When the oldest of these messages was accepted',
      }),
    }),
  });
  const webhook = builder.objectRef<FailingWebhook>('FailingWebhook').implement({
    description: 'A webhook of any tenant whose deliveries fail',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      tenant: t.exposeString('tenant', { description: 'Name of the tenant' }),
      id: t.id({
        nullable: true,
        description: 'Null for the webhook of inbound mail',
        resolve: ({ id }) => id && toId('whk', id),
      }),
      url: t.exposeString('url', { nullable: true }),
      since: t.expose('since', { type: 'DateTime' }),
      isOff: t.exposeBoolean('isOff', { description: 'The webhook is turned off' }),
    }),
  });
  const certificate = builder.objectRef<ExpiringCertificate>('ExpiringCertificate').implement({
    description: 'The certificate of a tracking host that expires within 21 days',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      tenant: t.exposeString('tenant', { description: 'Name of the tenant' }),
      name: t.exposeString('name', { description: 'Name of the tracking host' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'Why the last order of a certificate failed; null if it did not',
      }),
    }),
  });
  const store = builder.objectRef<{ name: string; isReady: boolean }>('StoreHealth').implement({
    description: 'A store, or the senders, as the api that answers sees them',
    fields: (t) => ({ name: t.exposeString('name'), isReady: t.exposeBoolean('isReady') }),
  });
  const health = builder.objectRef<object>('ServiceHealth').implement({
    description: 'What needs an operator’s attention, over all tenants. Each list has its first 50 rows',
    fields: (t) => ({
      domains: t.field({
        type: [domain],
        description: '50 rows for each problem. Domains of suspended tenants are left out',
        resolve: (_self, _args, { deps }) => readTroubledDomains(deps.buckets),
      }),
      waiting: t.field({
        type: [waiting],
        description: 'The oldest mail first. Mail that is scheduled for later is not counted',
        resolve: (_self, _args, { deps }) => readWaitingMail(deps.buckets),
      }),
      webhooks: t.field({
        type: [webhook],
        description: 'The latest to fail first',
        resolve: (_self, _args, { deps }) => readFailingWebhooks(deps.buckets),
      }),
      certificates: t.field({
        type: [certificate],
        description: 'The first to expire first',
        resolve: (_self, _args, { deps }) => readExpiringCertificates(deps.buckets),
      }),
      certificateExpiresAt: t.field({
        type: 'DateTime',
        description: 'When the certificate of HTTPS and submission expires (TLS_CERT_FILE)',
        resolve: (_self, _args, { deps }) => deps.ownHealth.certificateExpiresAt(),
      }),
      stores: t.field({
        type: [store],
        resolve: async (_self, _args, { deps }) =>
          Object.entries(await deps.ownHealth.stores()).map(([name, isReady]) => ({ name, isReady })),
      }),
    }),
  });
  builder.objectFields(tenant, (t) => ({
    failingWebhooks: t.field({
      type: [webhook],
      description:
        'Its webhooks whose deliveries fail, the latest to fail first: 50 at most; super-admins only',
      authScopes: superAdmin,
      resolve: (self, _args, { deps }) =>
        deps.inTenant(self, () => readFailingWebhooksOf(deps.db.pool, self.id)),
    }),
    expiringCertificates: t.field({
      type: [certificate],
      description:
        'Certificates of its tracking hosts that expire within 21 days, the first to expire first: 50 at most; super-admins only',
      authScopes: superAdmin,
      resolve: (self, _args, { deps }) =>
        deps.inTenant(self, () => readExpiringCertificatesOf(deps.db.pool, self.id)),
    }),
  }));
  builder.queryField('serviceHealth', (t) =>
    t.field({
      type: health,
      description: 'Super-admins only',
      authScopes: superAdmin,
      resolve: () => ({}),
    }),
  );
}
