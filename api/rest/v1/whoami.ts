// GET /whoami: which tenant and key (or person) a credential is, and what is left of the month.

import { z } from 'zod';

import { idView } from '../../../core/base/id-input.ts';
import { AppError } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import type { KeyPrincipal, UserPrincipal } from '../../../core/people/authenticate.ts';
import { ROLES } from '../../../core/people/membership-store.ts';
import { findKey } from '../../../core/key/keys.ts';
import { PLANS } from '../../../core/tenant/plan.ts';
import { SCOPES } from '../../../core/key/scope.ts';
import { readQuota } from '../../../core/tenant/tenants.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineRoute } from '../route.ts';

const time = z.iso.datetime();

const keyView = z.object({
  id: idView('key'),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  last_used_at: time.nullable().meta({ description: 'accurate to a minute' }),
  expires_at: time
    .nullable()
    .meta({ description: 'from then on it is 401; null: it works until it is revoked' }),
  allowed_addresses: z
    .array(z.string())
    .meta({ description: 'addresses and CIDR blocks from which it works; empty: from everywhere' }),
  domain: z
    .string()
    .nullable()
    .meta({ description: 'the only domain that it may send from, all that it may do; null: any of yours' }),
});

const userView = z.object({
  id: idView('usr'),
  email: z.string(),
  role: z.enum(ROLES),
  created_at: time,
});

const response = z.object({
  tenant: z.object({ id: idView('tnt'), name: z.string(), plan: z.enum(PLANS), created_at: time }),
  key: keyView.optional().meta({ description: 'with an API key' }),
  user: userView.optional().meta({ description: 'with the token of a signed-in person' }),
  quota: z.object({ used: z.int(), cap: z.int(), remaining: z.int(), resets_at: time }),
});

/** GET /whoami */
export const whoami = defineRoute(
  {
    operationId: 'whoami',
    method: 'GET',
    path: '/whoami',
    access: 'any',
    group: 'Account',
    summary: 'Who am I',
    description: 'The tenant and key of the credential, and the usage of the monthly quota.',
    response,
    status: 200,
  },
  async ({ deps, caller }) => {
    const { tenant } = caller;
    const [quota, self] = await Promise.all([readQuota(deps.db, tenant), describeCaller(deps, caller)]);
    return {
      data: {
        tenant: {
          id: toId('tnt', tenant.id),
          name: tenant.name,
          plan: tenant.plan,
          created_at: tenant.createdAt.toISOString(),
        },
        ...self,
        quota: {
          used: quota.used,
          cap: quota.cap,
          remaining: quota.remaining,
          resets_at: quota.resetsAt.toISOString(),
        },
      },
    };
  },
);

async function describeCaller(deps: ApiDeps, caller: KeyPrincipal | UserPrincipal) {
  if (caller.kind === 'user') {
    const { id, email, role, createdAt } = caller.user;
    return { user: { id: toId('usr', id), email, role, created_at: createdAt.toISOString() } };
  }
  const key = await findKey(deps.db, caller.tenantId, caller.keyId);
  if (!key || key.revokedAt) throw new AppError('unauthorized', 'The API key is not valid or was revoked.');
  return {
    key: {
      id: toId('key', key.id),
      name: key.name,
      scopes: key.scopes,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      expires_at: key.expiresAt?.toISOString() ?? null,
      allowed_addresses: key.allowedAddresses,
      domain: key.domain,
    },
  };
}
