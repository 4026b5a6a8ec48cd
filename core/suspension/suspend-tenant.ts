// Suspending and reactivating tenants, for operators. A suspended tenant sends and receives nothing; its people sign in and read
// as before. Each is one transaction: the state, the mail that goes on, the audit log and the mail to the owners.
// Every process knows within a second: accepting reads the state with its other facts, delivery with the state of the domain,
// everything else with the key, the session or the address.

import { isApplied } from '../audit/audit-store.ts';
import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import type { Config } from '../base/config.ts';
import { AppError, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { findSystemSender } from '../people/system-sender.ts';
import { lockTenant, selectTenant, type Tenant } from '../tenant/tenant-store.ts';
import { resumeMailOf, writeReactivated, writeSuspended } from './suspension-store.ts';

/** What suspending needs; the database is the one of the tenant's bucket. */
export interface SuspensionDeps extends ChangeDeps {
  config: Pick<Config, 'PUBLIC_URL' | 'SYSTEM_MAIL_FROM'>;
}

/**
 * Suspends a tenant: mail that waits is kept. Throws not_found, and `conflict` when it is suspended already or owns the domain
 * of SYSTEM_MAIL_FROM.
 */
export async function suspendTenant(deps: SuspensionDeps, by: Actor, tenantId: string): Promise<Tenant> {
  const system = await findSystemSender(deps);
  return change(deps, by, async (client, record) => {
    if (!(await lockTenant(client, tenantId))) throw notFound('tenant');
    if (!(await isApplied(client, tenantId, by, 'tenant.suspended'))) {
      if (system.ok && system.tenantId === tenantId) throw sendsSystemMail(system.from);
      if (!(await writeSuspended(client, tenantId)))
        throw new AppError('conflict', 'This tenant is suspended already.');
      await record({ tenantId, action: 'tenant.suspended', subject: toId('tnt', tenantId) });
    }
    return (await selectTenant(client, tenantId))!;
  });
}

/** Reactivates a tenant: mail that waits is due at once, under the caps of the day. Throws not_found, and `conflict`. */
export async function reactivateTenant(deps: ChangeDeps, by: Actor, tenantId: string): Promise<Tenant> {
  return change(deps, by, async (client, record) => {
    if (!(await lockTenant(client, tenantId))) throw notFound('tenant');
    if (!(await isApplied(client, tenantId, by, 'tenant.reactivated'))) {
      if (!(await writeReactivated(client, tenantId)))
        throw new AppError('conflict', 'This tenant is not suspended.');
      await resumeMailOf(client, tenantId);
      await record({ tenantId, action: 'tenant.reactivated', subject: toId('tnt', tenantId) });
    }
    return (await selectTenant(client, tenantId))!;
  });
}

function sendsSystemMail(from: string): AppError {
  return new AppError(
    'conflict',
    `This tenant owns the domain of SYSTEM_MAIL_FROM (${from}), which password resets and notices to everybody are sent from. Set SYSTEM_MAIL_FROM to a domain of another tenant first.`,
  );
}
