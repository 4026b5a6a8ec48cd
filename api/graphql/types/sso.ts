// SAML SSO: the tenant's connection, for owners, and where somebody signs in with it, for everybody.

import { toId } from '../../../core/base/ids.ts';
import { viewCertificate, type CertificateView } from '../../../core/sso/certificate.ts';
import type { SamlConnection } from '../../../core/sso/connection-store.ts';
import { deleteConnection, findConnection, saveConnection } from '../../../core/sso/connections.ts';
import { serviceProvider, type ServiceProvider } from '../../../core/sso/service-provider.ts';
import { findSsoUrl } from '../../../core/sso/sso-url.ts';
import { hasSso } from '../../../core/tenant/plan.ts';
import { atHome } from '../../deps.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { changedBy, confirmedSelf, signedIn } from '../context.ts';
import type { DeletePayload } from './deleted.ts';

/** Adds SamlConnection, SamlServiceProvider, `ssoUrl` and what owners do with them. */
export function addSsoTypes(builder: Builder, deleted: DeletePayload): void {
  const connection = addConnection(builder);
  const provider = builder
    .objectRef<ServiceProvider & { available: boolean }>('SamlServiceProvider')
    .implement({
      description: 'What to enter at the identity provider',
      fields: (t) => ({
        entityId: t.exposeString('entityId', { description: 'also called audience' }),
        acsUrl: t.exposeString('acsUrl', { description: 'assertion consumer service; HTTP-POST' }),
        metadataUrl: t.exposeString('metadataUrl'),
        loginUrl: t.exposeString('loginUrl', { description: 'where a sign-in starts' }),
        available: t.exposeBoolean('available', { description: 'whether the plan has SSO' }),
      }),
    });
  builder.queryField('samlServiceProvider', (t) =>
    t.field({
      type: provider,
      authScopes: { owner: true },
      resolve: (_root, _args, context) => {
        const { tenant } = signedIn(context);
        return { ...serviceProvider(context.deps.config, tenant.id), available: hasSso(tenant.plan) };
      },
    }),
  );
  builder.queryField('samlConnection', (t) =>
    t.field({
      type: connection,
      nullable: true,
      authScopes: { owner: true },
      resolve: (_root, _args, context) => findConnection(context.deps.db, signedIn(context).tenantId),
    }),
  );
  builder.queryField('ssoUrl', (t) =>
    t.string({
      nullable: true,
      description: 'The SSO sign-in URL for an email address. Needs no sign-in',
      skipTypeScopes: true,
      args: { email: t.arg.string({ required: true }) },
      resolve: (_root, { email }, context) => findSsoUrl(atHome(context.deps), email),
    }),
  );
  addSaving(builder, connection, deleted);
}

function addConnection(builder: Builder) {
  const certificate = builder.objectRef<CertificateView>('SamlCertificate').implement({
    fields: (t) => ({
      fingerprint: t.exposeString('fingerprint', { description: 'SHA-256' }),
      notAfter: t.expose('notAfter', { type: 'DateTime' }),
    }),
  });
  return builder.objectRef<SamlConnection>('SamlConnection').implement({
    description: 'The identity provider of the tenant',
    fields: (t) => ({
      idpEntityId: t.exposeString('idpEntityId'),
      idpSsoUrl: t.exposeString('idpSsoUrl'),
      certificates: t.field({
        type: [certificate],
        resolve: ({ certificates }) => certificates.map(viewCertificate),
      }),
      enabled: t.exposeBoolean('enabled'),
      required: t.exposeBoolean('required', {
        description: 'Members cannot use passwords. Owners can, in case the identity provider is down',
      }),
      emailDomains: t.exposeStringList('emailDomains', {
        description: 'People with an address at these domains become members at their first sign-in',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  });
}

function addSaving(builder: Builder, connection: ReturnType<typeof addConnection>, deleted: DeletePayload) {
  const input = builder.inputType('SaveSamlConnectionInput', {
    description: 'Fields left out do not change',
    fields: (t) => ({
      idpMetadataXml: t.string({ description: 'give either this or the next three fields' }),
      idpEntityId: t.string(),
      idpSsoUrl: t.string(),
      certificatePem: t.string({ description: 'one or more' }),
      enabled: t.boolean(),
      required: t.boolean(),
      emailDomains: t.stringList(),
    }),
  });
  const payload = builder
    .objectRef<{ samlConnection: SamlConnection }>('SamlConnectionPayload')
    .implement({ fields: (t) => ({ samlConnection: t.expose('samlConnection', { type: connection }) }) });
  builder.mutationField('saveSamlConnection', (t) =>
    t.field({
      type: payload,
      description: CONFIRMED,
      authScopes: { owner: true },
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        const { tenant } = await confirmedSelf(context);
        const given = Object.entries(args.input).filter(([, value]) => value !== null);
        const change = Object.fromEntries(given);
        return {
          samlConnection: await saveConnection(context.deps, changedBy(context), tenant, change),
        };
      },
    }),
  );
  builder.mutationField('deleteSamlConnection', (t) =>
    t.field({
      type: deleted,
      description: CONFIRMED,
      authScopes: { owner: true },
      resolve: async (_root, _args, context) => {
        const { tenantId } = await confirmedSelf(context);
        await deleteConnection(context.deps, changedBy(context), tenantId);
        return { id: toId('tnt', tenantId) };
      },
    }),
  );
}
