// The people of a tenant: who they are, what they may do, and that they go.
// Guarantees: a tenant that has an owner keeps one; nobody becomes super_admin by an owner's hand, and no owner
// touches a super_admin; what somebody had open in a tenant that they are removed from is over at once.

import type pg from 'pg';

import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { revokeInvitationsBy } from './invitation-store.ts';
import {
  countOwners,
  deleteMembership,
  lockPeople,
  selectPeople,
  selectUser,
  updateRole,
  type PeoplePage,
  type Role,
  type User,
} from './membership-store.ts';
import { insertAudit } from '../tenant/tenant-store.ts';

/** Who asks: a signed-in owner or super_admin of the tenant. */
export interface PersonActor {
  tenantId: string;
  userId: string;
  role: Role;
}

/** A page of a tenant's people, newest first. */
export function listPeople(db: Database, tenantId: string, page: PeoplePage): Promise<User[]> {
  return selectPeople(db.pool, tenantId, page);
}

/** Gives a person another role. Throws `not_found`, `forbidden`, or `conflict` for the last owner. */
export async function changeRole(
  db: Database,
  by: PersonActor,
  input: { userId: string; role: Role },
): Promise<User> {
  checkGrant(by.role, input.role);
  return inTransaction(db.pool, async (client) => {
    const person = await lockUser(client, by, input.userId);
    if (person.role === input.role) return person;
    if (person.role === 'owner') await checkNotLastOwner(client, by.tenantId);
    await updateRole(client, by.tenantId, person.id, input.role);
    if (!canInvite(input.role)) await revokeInvitationsBy(client, by.tenantId, person.id);
    await insertAudit(client, {
      ...act(by, 'user.role_changed', person.id),
      data: { email: person.email, from: person.role, to: input.role },
    });
    return { ...person, role: input.role };
  });
}

/**
 * Takes a person out of the tenant, with the invitations that they made; their other tenants stay. Throws as
 * `changeRole` does.
 */
export async function removePerson(db: Database, by: PersonActor, userId: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const person = await lockUser(client, by, userId);
    if (person.role === 'owner') await checkNotLastOwner(client, by.tenantId);
    await revokeInvitationsBy(client, by.tenantId, person.id);
    await deleteMembership(client, by.tenantId, person.id);
    await insertAudit(client, {
      ...act(by, 'user.removed', person.id),
      data: { email: person.email, role: person.role },
    });
  });
}

/** One person of a tenant, or null. */
export function findUser(db: Database, tenantId: string, userId: string): Promise<User | null> {
  return selectUser(db.pool, tenantId, { id: userId });
}

/** Refuses a role that somebody of this role may not give. */
export function checkGrant(giver: Role, role: Role): void {
  if (role === 'super_admin' && giver !== 'super_admin') {
    throw new AppError('forbidden', 'Only a super-admin can grant the super-admin role.');
  }
}

async function lockUser(client: pg.PoolClient, by: PersonActor, userId: string): Promise<User> {
  await lockPeople(client, by.tenantId);
  const person = await selectUser(client, by.tenantId, { id: userId });
  if (!person) throw notFound('person');
  if (person.role === 'super_admin' && by.role !== 'super_admin') {
    throw new AppError('forbidden', 'Only a super-admin can change a super-admin.');
  }
  return person;
}

function canInvite(role: Role): boolean {
  return role === 'owner' || role === 'super_admin';
}

async function checkNotLastOwner(client: pg.PoolClient, tenantId: string): Promise<void> {
  if ((await countOwners(client, tenantId)) > 1) return;
  throw new AppError('conflict', 'The account needs at least one owner. Make another person an owner first.');
}

function act(by: PersonActor, action: string, personId: string) {
  return {
    id: newUuid(),
    tenantId: by.tenantId,
    actor: toId('usr', by.userId),
    action,
    subject: toId('usr', personId),
  };
}
