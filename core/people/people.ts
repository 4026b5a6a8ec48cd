// The people of a tenant: listing them, changing their role, removing them.
// Guarantees: a tenant that has an owner keeps one; no owner can grant the role super_admin or change a super_admin;
// the sessions of a person in a tenant end at once when they are removed from it.

import type pg from 'pg';

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { mailOwnChange } from './own-change-mail.ts';
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
import { selectEverybody, type ListedPerson } from './user-store.ts';

/** In which tenant, and with which role there, somebody manages people: as its owner or a super_admin. */
export interface Manager {
  tenantId: string;
  role: Role;
}

/** A page of a tenant's people, newest first. */
export function listPeople(db: Database, tenantId: string, page: PeoplePage): Promise<User[]> {
  return selectPeople(db.pool, tenantId, page);
}

/** A page of the people of all tenants, newest first; with a tenant only its own. For operators. */
export function listEverybody(
  db: Database,
  page: { before: string | null; limit: number; tenantId: string | null },
): Promise<ListedPerson[]> {
  return selectEverybody(db.pool, page);
}

/** Gives a person another role. Throws `not_found`, `forbidden`, or `conflict` for the last owner. */
export async function changeRole(
  deps: ChangeDeps,
  by: Actor,
  manager: Manager,
  input: { userId: string; role: Role },
): Promise<User> {
  const { tenantId } = manager;
  checkGrant(manager.role, input.role);
  return change(deps, by, async (client, record) => {
    const person = await lockUser(client, manager, input.userId);
    if (person.role === input.role) return person;
    if (person.role === 'owner') await checkNotLastOwner(client, tenantId);
    await updateRole(client, tenantId, person.id, input.role);
    if (!isManager(input.role)) await revokeInvitationsBy(client, tenantId, person.id);
    await record({
      tenantId,
      action: 'user.role_changed',
      subject: toId('usr', person.id),
      details: { email: person.email, from: person.role, to: input.role },
    });
    const details = { from: person.role, to: input.role };
    await mailOwnChange(client, by, person, { action: 'user.role_changed', details });
    return { ...person, role: input.role };
  });
}

/**
 * Takes a person out of the tenant, with the invitations that they made; their other tenants stay. Throws as
 * `changeRole` does.
 */
export async function removePerson(
  deps: ChangeDeps,
  by: Actor,
  manager: Manager,
  userId: string,
): Promise<void> {
  const { tenantId } = manager;
  await change(deps, by, async (client, record) => {
    const person = await lockUser(client, manager, userId);
    if (person.role === 'owner') await checkNotLastOwner(client, tenantId);
    await revokeInvitationsBy(client, tenantId, person.id);
    await deleteMembership(client, tenantId, person.id);
    await record({
      tenantId,
      action: 'user.removed',
      subject: toId('usr', person.id),
      details: { email: person.email, role: person.role },
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

/**
 * The person, whom nobody else changes until the transaction ends. Throws `not_found`, or `forbidden` where a super-admin
 * is another's to change.
 */
export async function lockUser(client: pg.PoolClient, manager: Manager, userId: string): Promise<User> {
  await lockPeople(client, manager.tenantId);
  const person = await selectUser(client, manager.tenantId, { id: userId });
  if (!person) throw notFound('person');
  if (person.role === 'super_admin' && manager.role !== 'super_admin') {
    throw new AppError('forbidden', 'Only a super-admin can change a super-admin.');
  }
  return person;
}

/** Whether a role manages people, keys and sign-on. */
export function isManager(role: Role): boolean {
  return role === 'owner' || role === 'super_admin';
}

async function checkNotLastOwner(client: pg.PoolClient, tenantId: string): Promise<void> {
  if ((await countOwners(client, tenantId)) > 1) return;
  throw new AppError('conflict', 'The account needs at least one owner. Make another person an owner first.');
}
