// Statements that drizzle builds: on the pool and in a transaction, and what their errors say.

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { orm } from '../../core/db/orm.ts';
import { adminTokens } from '../../core/db/schema/tenant.ts';
import { isUniqueViolation } from '../../core/db/sql-state.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { createContext, type Context } from '../harness/context.ts';

let context: Context;

beforeAll(async () => {
  context = await createContext();
});

afterAll(() => context.close());

test('on the connection of a transaction a statement is part of it', async () => {
  const token = newToken('rolled back');
  const failed = inTransaction(context.db.pool, async (client) => {
    await orm(client).insert(adminTokens).values(token);
    expect(await orm(client).$count(adminTokens, eq(adminTokens.id, token.id))).toBe(1);
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await orm(context.db.pool).$count(adminTokens, eq(adminTokens.id, token.id))).toBe(0);
});

test('an error is the one of PostgreSQL, with its code and without the values of the statement', async () => {
  const token = newToken('only once');
  const insert = () => orm(context.db.pool).insert(adminTokens).values(token);
  await insert();
  const error = await Promise.resolve(insert()).catch((reason: unknown) => reason);
  expect(isUniqueViolation(error)).toBe(true);
  expect((error as Error).message).toMatch(/^duplicate key value/);
  expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain('only once');
});

function newToken(name: string) {
  return { id: newUuid(), name, hash: Buffer.from(`${name}, as a hash`) };
}
