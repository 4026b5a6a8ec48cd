// Which bucket has what. A tenant is in one, and stays there; all of them share the connections of a process.

import { createLookupCache } from '../base/lookup-cache.ts';
import type { Database } from './pool.ts';
import { HOME } from './service-tables.ts';

/** The databases of all buckets. */
export interface Buckets {
  /** The first bucket, and the tables that there are once (core/db/service-tables.ts). */
  home: Database;
  /** A bucket's database, by its name: always the same object. */
  database(bucket: string): Database;
  /** The bucket of a tenant; the first for one that does not exist, so that it is not found there. */
  ofTenant(tenantId: string): Promise<string>;
  /** The bucket of the tenant that has verified this name of a domain, or had it last; null when nobody ever did. */
  ofDomainName(name: string): Promise<string | null>;
  /** The same for many names. Those that nobody ever had are missing. */
  ofDomainNames(names: string[]): Promise<Map<string, string>>;
  /** The names of all buckets, the first one first. */
  list(): Promise<string[]>;
}

const NEVER_CHANGES_MS = Infinity;
const REMEMBERED_TENANTS = 100_000; // about 15 MB

/** Opens the buckets of a database. */
export function createBuckets(home: Database): Buckets {
  const databases = new Map([[HOME, home]]);
  const tenants = createLookupCache<string>({ maxAgeMs: NEVER_CHANGES_MS, maxEntries: REMEMBERED_TENANTS });
  const readOfTenant = async (tenantId: string) => {
    const { rows } = await home.pool.query<{ bucket: string }>({
      name: 'buckets.of-tenant',
      text: 'select bucket from tenants where id = $1',
      values: [tenantId],
    });
    return rows[0]?.bucket ?? null;
  };
  const ofDomainNames = async (names: string[]) => {
    const { rows } = await home.pool.query<{ name: string; bucket: string }>({
      name: 'buckets.of-domain-names',
      text: `select c.name, t.bucket from domain_claims c join tenants t on t.id = c.tenant_id
             where c.name = any($1::text[])`,
      values: [names],
    });
    return new Map(rows.map(({ name, bucket }) => [name, bucket]));
  };
  return {
    home,
    database(bucket) {
      const known = databases.get(bucket) ?? home.inBucket(bucket);
      databases.set(bucket, known);
      return known;
    },
    async ofTenant(tenantId) {
      const found = await tenants(tenantId, async () => {
        const bucket = await readOfTenant(tenantId);
        if (bucket === null) throw new NoSuchTenant();
        return bucket;
      }).catch((error: unknown) => {
        if (error instanceof NoSuchTenant) return null; // not kept: it may be made the next moment
        throw error;
      });
      return found ?? HOME;
    },
    ofDomainName: async (name) => (await ofDomainNames([name])).get(name) ?? null,
    ofDomainNames,
    async list() {
      const { rows } = await home.pool.query<{ name: string }>({
        name: 'buckets.list',
        text: 'select name from buckets order by name <> $1, name',
        values: [HOME],
      });
      return rows.map(({ name }) => name);
    },
  };
}

class NoSuchTenant extends Error {}
