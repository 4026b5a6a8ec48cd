// Creating people.

import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import { checkPassword, hashPassword, randomPassword } from './password.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { insertUser, selectUser, type Role, type User } from './user-store.ts';

/** Creates a person. Without a password a random one is made; it is in the answer and nowhere else. */
export async function createUser(
  db: Database,
  input: { tenantId: string; email: string; role: Role; password?: string; actor?: string },
): Promise<{ userId: string; password: string; user: User }> {
  const address = parseAddress(input.email.trim());
  if (!address.ok) throw invalidField('email', address.reason);
  const password = input.password ?? randomPassword();
  checkPassword('password', password);
  const row = {
    id: newUuid(),
    tenantId: input.tenantId,
    email: normalizeEmail(address.address),
    role: input.role,
    passwordHash: await hashPassword(password),
  };
  try {
    const user = await inTransaction(db.pool, async (client) => {
      await insertAudit(client, {
        id: newUuid(),
        tenantId: row.tenantId,
        actor: input.actor ?? 'cli',
        action: 'user.created',
        subject: toId('usr', row.id),
        data: { email: row.email, role: row.role },
      });
      return insertUser(client, row);
    });
    return { userId: user.id, password, user };
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `${row.email} already has an account.`);
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}

/** One person of a tenant, or null. */
export function findUser(db: Database, tenantId: string, userId: string): Promise<User | null> {
  return selectUser(db.pool, tenantId, userId);
}
