// Creating people.

import type pg from 'pg';

import type { Actor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { isForeignKeyViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseTypedAddress } from '../mail/address.ts';
import { insertMembership, selectMemberships, selectUser, type Role, type User } from './membership-store.ts';
import { checkPassword, hashPassword, randomPassword } from './password.ts';
import { insertPerson, lockPerson, updatePassword } from './user-store.ts';

/** A person to create or to add to a tenant. */
export interface UserInput {
  tenantId: string;
  email: string;
  role: Role;
  /** Instead of a random one. */
  password?: string;
}

/**
 * Creates a person in a tenant. Without a password a random one is made; it is in the answer and nowhere else. Throws
 * `conflict` when the address has a person.
 */
export async function createUser(
  deps: ChangeDeps,
  by: Actor,
  input: UserInput,
): Promise<{ userId: string; password: string; user: User }> {
  const { user, password } = await join(deps, by, input, (email) => {
    throw new AppError('conflict', `${email} already has an account.`);
  });
  return { userId: user.id, password: password!, user };
}

/**
 * Adds a person to a tenant: one who is new as `createUser` does, or the one who has the address and a password
 * (`password` is null then). For operators: it reveals who has an account.
 */
export function addUser(
  deps: ChangeDeps,
  by: Actor,
  input: UserInput,
): Promise<{ user: User; password: string | null }> {
  return join(deps, by, input, (email) => {
    if (input.password === undefined) return;
    throw new AppError('conflict', `${email} already has an account and a password.`);
  });
}

// `known` is called when the address has a person of some tenant. Whoever is in no tenant begins anew.
async function join(
  { db }: ChangeDeps,
  by: Actor,
  input: UserInput,
  known: (email: string) => void,
): Promise<{ user: User; password: string | null }> {
  const address = parseTypedAddress(input.email);
  if (!address.ok) throw invalidField('email', `is not an email address: ${address.reason}`);
  const email = normalizeEmail(address.address);
  const password = input.password ?? randomPassword();
  await checkPassword('password', password, email);
  const passwordHash = await hashPassword(password);
  try {
    return await inTransaction(db.pool, async (client) => {
      const person = await lockOrInsert(client, email);
      const isNew = (await selectMemberships(client, person.id, null)).length === 0;
      if (!isNew) known(email);
      else await updatePassword(client, person.id, { old: person.passwordHash, next: passwordHash });
      const { tenantId, role } = input;
      const user = await joinTenant(client, by, { tenantId, userId: person.id, role });
      if (!user) throw new AppError('conflict', `${email} already belongs to this tenant.`);
      return { user, password: isNew ? password : null };
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}

/** The person of a normalized address, made without a password when there is none; locked until the transaction ends. */
export async function lockOrInsert(client: pg.PoolClient, email: string) {
  await insertPerson(client, { id: newUuid(), email, passwordHash: null });
  return (await lockPerson(client, email))!;
}

/** Makes a person a user of a tenant, in the caller's transaction. Null when they are one already. */
export async function joinTenant(
  client: pg.PoolClient,
  by: Actor,
  membership: { tenantId: string; userId: string; role: Role },
  details: Record<string, unknown> = {},
): Promise<User | null> {
  const { tenantId, userId } = membership;
  if (!(await insertMembership(client, membership))) return null;
  const user = (await selectUser(client, tenantId, { id: userId }))!;
  await insertAudit(client, by, {
    tenantId,
    action: 'user.created',
    subject: toId('usr', userId),
    details: { email: user.email, role: user.role, ...details },
  });
  return user;
}
