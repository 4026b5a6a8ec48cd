// Tenant, User and Viewer: who is signed in, and what is left of the month.

import { fromId, toId } from '../../../core/base/ids.ts';
import { PLANS } from '../../../core/tenant/plan.ts';
import { TENANT_STATUSES, tenantStatus, type Tenant } from '../../../core/tenant/tenant-store.ts';
import { readQuota, type Quota } from '../../../core/tenant/tenants.ts';
import { ROLES, type Membership, type User } from '../../../core/people/membership-store.ts';
import { findUser } from '../../../core/people/people.ts';
import { listMemberships } from '../../../core/people/tenant-switch.ts';
import { SELF, type Builder } from '../builder.ts';
import { selfOf, signedIn } from '../context.ts';

/** Adds the types and `viewer`. Returns what other types refer to. */
export function addTenantTypes(builder: Builder) {
  const plan = builder.enumType('Plan', { values: PLANS });
  const status = builder.enumType('TenantStatus', { values: TENANT_STATUSES });
  const role = builder.enumType('Role', { values: ROLES });

  const tenant = builder.objectRef<Tenant>('Tenant');
  builder.node(tenant, {
    id: { resolve: ({ id }) => toId('tnt', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'plan' in value,
    loadOne: (id, context) => {
      const own = signedIn(context).tenant;
      return fromId('tnt', id) === own.id ? own : null;
    },
    fields: (t) => ({
      name: t.exposeString('name'),
      plan: t.expose('plan', { type: plan }),
      status: t.field({
        type: status,
        description: '`suspended`: it can neither send nor receive until an operator reactivates it',
        resolve: tenantStatus,
      }),
      suspendedAt: t.expose('suspendedAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      secondFactorRequired: t.exposeBoolean('secondFactorRequired', {
        description: 'Everybody who signs in with a password needs a second factor',
      }),
    }),
  });

  const membership = builder.objectRef<Membership>('Membership').implement({
    description: 'A tenant that the signed-in person belongs to',
    fields: (t) => ({
      tenant: t.expose('tenant', { type: tenant }),
      role: t.expose('role', { type: role }),
    }),
  });

  const user = builder.objectRef<User>('User');
  builder.node(user, {
    id: { resolve: ({ id }) => toId('usr', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'role' in value,
    loadOne: (id, context) => {
      const uuid = fromId('usr', id);
      return uuid === null ? null : findUser(context.deps.db, signedIn(context).tenantId, uuid);
    },
    fields: (t) => ({
      email: t.exposeString('email'),
      role: t.expose('role', { type: role }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      lastSignedInAt: t.expose('lastSignedInAt', { type: 'DateTime', nullable: true }),
      hasPassword: t.exposeBoolean('hasPassword', {
        description: 'False for people who sign in with SSO only',
      }),
      hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
        description: 'Signs in with a code beside the password',
      }),
    }),
  });

  const quota = builder.objectRef<Quota>('Quota').implement({
    description: 'Accepted sends of the UTC calendar month',
    fields: (t) => ({
      used: t.exposeInt('used'),
      cap: t.exposeInt('cap'),
      remaining: t.exposeInt('remaining'),
      resetsAt: t.expose('resetsAt', { type: 'DateTime' }),
    }),
  });

  const viewer = builder.objectRef<{ user: User; tenant: Tenant }>('Viewer').implement({
    description: 'The signed-in person, in the tenant of the access token',
    fields: (t) => ({
      memberships: t.field({
        type: [membership],
        description: 'The tenants to switch between, by name; after SSO only the one that it was for',
        resolve: (_self, _args, context) => listMemberships(context.deps.db, selfOf(context)),
      }),
      user: t.expose('user', { type: user }),
      tenant: t.expose('tenant', { type: tenant }),
      timeZone: t.string({
        nullable: true,
        description: 'IANA name of the zone in which the person is shown times; null for that of the browser',
        resolve: ({ user: self }) => self.timeZone,
      }),
      quota: t.field({ type: quota, resolve: (self, _args, { deps }) => readQuota(deps.db, self.tenant) }),
      permissions: t.stringList({
        description: '`owner` and `superAdmin`, as they apply',
        resolve: ({ user: self }) => permissionsOf(self.role),
      }),
    }),
  });
  builder.queryField('viewer', (t) =>
    t.field({
      type: viewer,
      ...SELF,
      resolve: (_root, _args, context) => {
        const { user: self, tenant: own } = selfOf(context);
        return { user: self, tenant: own };
      },
    }),
  );
  return { tenant, user, role, quota, viewer, plan, status };
}

function permissionsOf(role: User['role']): string[] {
  if (role === 'super_admin') return ['owner', 'superAdmin'];
  return role === 'owner' ? ['owner'] : [];
}

/** What other type files refer to. */
export type TenantTypes = ReturnType<typeof addTenantTypes>;
