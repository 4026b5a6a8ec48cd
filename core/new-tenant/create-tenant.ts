// Creates a tenant with the alert rules that it begins with.

import { addRecommendedRules } from '../alert/recommended-rules.ts';
import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError } from '../base/errors.ts';
import { requireValue } from '../base/field-problems.ts';
import { newUuid, toId } from '../base/ids.ts';
import { HOME } from '../db/service-tables.ts';
import { isBucket, selectEmptiest } from '../tenant/bucket-store.ts';
import { newTenant } from '../tenant/tenant-input.ts';
import { insertTenant, selectTenant, type Tenant } from '../tenant/tenant-store.ts';

/**
 * Creates a tenant, in the bucket that is named or the one with the fewest. `deps.db` is the database of the first bucket. Refuses a bad
 * name or plan, and an unknown bucket. A retry of the same request gives the tenant that is there.
 */
export async function createTenant(
  deps: ChangeDeps,
  by: Actor,
  { bucket: named, ...input }: { name: string; plan: string; bucket?: string | undefined },
): Promise<Tenant> {
  const { name, plan } = requireValue(newTenant, input);
  const { pool } = deps.db;
  if (named !== undefined && !(await isBucket(pool, named)))
    throw new AppError('not_found', `No such bucket ${named}. \`bucket list\` shows them.`);
  const known = by.changeId === undefined ? null : await selectTenant(pool, by.changeId);
  if (known) return known;
  const bucket = named ?? (await selectEmptiest(pool));
  const db = bucket === HOME ? deps.db : deps.db.inBucket(bucket);
  return change({ ...deps, db }, by, async (client, record) => {
    const tenant = await insertTenant(client, { id: by.changeId ?? newUuid(), name, plan, bucket });
    await addRecommendedRules(client, tenant.id);
    const subject = toId('tnt', tenant.id);
    await record({ tenantId: tenant.id, action: 'tenant.created', subject, details: { name, plan } });
    return tenant;
  });
}
