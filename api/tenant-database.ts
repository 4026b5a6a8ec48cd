// The database of the tenant that a request is about: one object for the process, which looks up whose request is under way.

import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

import { withCallback } from '../core/db/bucket-pool.ts';
import type { Buckets } from '../core/db/buckets.ts';
import type { Database } from '../core/db/pool.ts';
import type { Tenant } from '../core/tenant/tenant-store.ts';

/** What decides where a tenant's rows are. */
type Place = Pick<Tenant, 'id' | 'bucket'>;

/** The database of the current tenant, and how a tenant becomes current. */
export interface TenantDatabase {
  /** Throws outside of the work for a tenant, but for `asking`, which is about the server. */
  db: Database;
  /** Runs work for a tenant, and all that it begins. */
  inTenant<T>(tenant: Place, work: () => T): T;
  /** The same for a tenant of which only the id is known; one that does not exist has no rows. */
  inTenantOf<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** The current tenant, if there is one. */
  current(): Place | undefined;
}

/** Makes it. It has no connections of its own: the buckets' are used, and closed with them. */
export function createTenantDatabase(buckets: Buckets): TenantDatabase {
  const current = new AsyncLocalStorage<Place>();
  const inTenant = <T>(tenant: Place, work: () => T): T => current.run(tenant, work);
  const connect = async () => {
    const tenant = current.getStore();
    if (!tenant) throw new Error('no tenant: this runs outside of the work for one');
    return buckets.database(tenant.bucket).pool.connect();
  };
  const { home } = buckets;
  const pool = Object.assign(Object.create(home.pool) as pg.Pool, { connect: withCallback(connect) });
  return {
    db: { ...home, pool, close: () => Promise.resolve() },
    inTenant,
    current: () => current.getStore(),
    async inTenantOf(tenantId, work) {
      if (current.getStore()?.id === tenantId) return work();
      return inTenant({ id: tenantId, bucket: await buckets.ofTenant(tenantId) }, work);
    },
  };
}

/**
 * The same steps, each taken in the context in which this is called: who reads a stream, a server for a socket, does so in
 * another one.
 */
export function inThisContext<T>(steps: AsyncIterable<T>): AsyncGenerator<T> {
  const run = AsyncLocalStorage.snapshot();
  const iterator = steps[Symbol.asyncIterator]();
  const ended = (value: unknown) => Promise.resolve({ done: true as const, value });
  const failed = async (error: unknown): Promise<never> => {
    throw error;
  };
  const bound: Omit<AsyncGenerator<T>, typeof Symbol.asyncDispose> = {
    next: () => run(() => iterator.next()),
    return: (value: unknown) => run(() => iterator.return?.(value) ?? ended(value)),
    throw: (error: unknown) => run(() => iterator.throw?.(error) ?? failed(error)),
    [Symbol.asyncIterator]: () => bound as AsyncGenerator<T>,
  };
  return bound as AsyncGenerator<T>;
}
