// API keys: only GraphQL creates and revokes them.

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import type { ApiKey } from '../../../core/key/key-store.ts';
import { createKey, findKey, listKeys, revokeKey } from '../../../core/key/keys.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { changedBy, confirmedSelf, signedIn } from '../context.ts';
import { connectionCost, resolveById } from '../page.ts';

/** Adds ApiKey, `apiKeys`, `createApiKey` and `revokeApiKey`. */
export function addApiKeyTypes(builder: Builder): void {
  const apiKey = builder.objectRef<ApiKey>('ApiKey');
  builder.node(apiKey, {
    id: { resolve: ({ id }) => toId('key', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'scopes' in value,
    loadOne: (id, context) => {
      const uuid = fromId('key', id);
      return uuid === null ? null : findKey(context.deps.db, signedIn(context).tenantId, uuid);
    },
    fields: (t) => ({
      name: t.exposeString('name'),
      scopes: t.exposeStringList('scopes'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'From then on it is rejected. Null: it works until it is revoked',
      }),
      allowedAddresses: t.exposeStringList('allowedAddresses', {
        description: 'Addresses and CIDR blocks from which it works. Empty: from everywhere',
      }),
      domain: t.exposeString('domain', {
        nullable: true,
        description: 'The only domain that it may send from, all that it may do. Null: any of yours',
      }),
    }),
  });

  builder.queryField('apiKeys', (t) =>
    t.connection({
      type: apiKey,
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveById(args, (page) => listKeys(context.deps.db, signedIn(context).tenantId, page)),
    }),
  );

  const createInput = builder.inputType('CreateApiKeyInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      scopes: t.stringList({ required: true }),
      expiresAt: t.field({ type: 'DateTime', description: 'Without it the key works until it is revoked' }),
      allowedAddresses: t.stringList({
        description: 'At most 50 addresses and CIDR blocks. Without them the key works from everywhere',
      }),
      domain: t.string({
        description:
          'The name of the only domain that it may send from; its scope is then `transactional:send` alone. Without it: any of yours',
      }),
    }),
  });
  const createPayload = builder
    .objectRef<{ apiKey: ApiKey; value: string }>('CreateApiKeyPayload')
    .implement({
      fields: (t) => ({
        apiKey: t.expose('apiKey', { type: apiKey }),
        value: t.exposeString('value', { description: 'shown only in this answer' }),
      }),
    });
  builder.mutationField('createApiKey', (t) =>
    t.field({
      type: createPayload,
      description: CONFIRMED,
      authScopes: { owner: true },
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { tenantId } = await confirmedSelf(context);
        const made = await createKey(context.deps, changedBy(context), {
          ...{ tenantId, name: input.name, scopes: input.scopes },
          expires_at: input.expiresAt?.toISOString(),
          allowed_addresses: input.allowedAddresses ?? undefined,
          domain: input.domain,
        });
        return { apiKey: made.key, value: made.value };
      },
    }),
  );

  const revokeInput = builder.inputType('RevokeApiKeyInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  const revokePayload = builder.objectRef<{ apiKey: ApiKey }>('RevokeApiKeyPayload').implement({
    fields: (t) => ({ apiKey: t.expose('apiKey', { type: apiKey }) }),
  });
  builder.mutationField('revokeApiKey', (t) =>
    t.field({
      type: revokePayload,
      authScopes: { owner: true },
      args: { input: t.arg({ type: revokeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { tenantId } = signedIn(context);
        const keyId = fromId('key', input.id);
        if (keyId === null) throw notFound('API key');
        const key = await revokeKey(context.deps, changedBy(context), { keyId, tenantId });
        return { apiKey: key };
      },
    }),
  );
}
