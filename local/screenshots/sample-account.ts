// An account with something on every page: made through the same doors that customers use, but for its past.

import { service, userActor } from '../../core/audit/actor.ts';
import { toId } from '../../core/base/ids.ts';
import type { Config } from '../../core/base/config.ts';
import { openSender } from '../../core/clients/sender.ts';
import { createBuckets } from '../../core/db/buckets.ts';
import type { Database } from '../../core/db/pool.ts';
import type { DomainView } from '../../core/domain/domain.ts';
import { createDomain } from '../../core/domain/domains.ts';
import { verifyDomain, type VerifyDeps } from '../../core/domain/verify-domain.ts';
import { invitePerson } from '../../core/people/invitations.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createUser } from '../../core/people/users.ts';
import { simulatorClient } from '../simulator/client.ts';
import type { Connection } from '../start/connection.ts';
import { createAsk, type Ask } from './ask.ts';
import { writeHistory } from './history.ts';
import { makeSampleMail } from './sample-mail.ts';

/** What the pictures are taken of. Ids are in their outside form. */
export interface SampleAccount {
  owner: Login;
  domainId: string;
  messageId: string;
}

/** Who signs in. */
export interface Login {
  email: string;
  password: string;
}

const BY = service('screenshots');
const DOMAIN = 'acme.example';

/** Makes it. The service of `connection` must be up; `hookUrl` receives its webhooks. */
export async function makeSampleAccount(
  deps: VerifyDeps & { db: Database; config: Config },
  connection: Connection,
  hookUrl: string,
): Promise<SampleAccount> {
  const tenant = await createTenant(deps, service('screenshots'), { name: 'Acme', plan: 'scale' });
  const domain = await addDomain(deps, connection, tenant.id);
  await writeHistory(connection.database_url, { tenantId: tenant.id, domainId: domain.id });
  await createDomain(deps, BY, tenant.id, `news.${DOMAIN}`); // not verified yet
  const owner = await addPerson(deps.db, tenant.id, 'olivia', 'owner');
  await addPerson(deps.db, tenant.id, 'max', 'member');
  const by = userActor({ id: owner.userId, email: owner.email }, null);
  const manager = { tenantId: tenant.id, role: 'owner' as const };
  const sender = openSender(deps.config, deps.log);
  const invited = { email: `nina@${DOMAIN}`, role: 'member' as const };
  const buckets = createBuckets(deps.db);
  await invitePerson({ ...deps, buckets, sender, fail: () => {} }, by, manager, invited);
  sender.close();
  const ask = await addKey(deps.db, connection, tenant.id, 'web shop, production', [...SCOPES]);
  await addKey(deps.db, connection, tenant.id, 'newsletter', ['campaigns:write', 'contacts:write']);

  const domainId = toId('dom', domain.id);
  const admin = createAsk(connection, connection.super_admin_token);
  await admin('POST', `/admin/tenants/${toId('tnt', tenant.id)}/warmup-schedule/generate`, {
    start_date: new Date().toISOString().slice(0, 10),
    total_target_recipients: 400_000,
    ramp_strategy: 'standard',
  });
  await ask('PATCH', `/mail/domains/${domainId}`, { inbound_enabled: true });
  const messageId = await makeSampleMail(ask, connection, DOMAIN, hookUrl);
  return { messageId, domainId, owner };
}

async function addDomain(
  deps: VerifyDeps & { db: Database },
  connection: Connection,
  tenantId: string,
): Promise<DomainView> {
  const domain = await createDomain(deps, BY, tenantId, DOMAIN);
  const records = domain.records.map(({ type, name, value, priority }) => ({ type, name, value, priority }));
  await simulatorClient(connection.simulator.http_port).addRecords(records);
  return verifyDomain(deps, BY, tenantId, domain.id);
}

async function addPerson(
  db: Database,
  tenantId: string,
  name: string,
  role: Role,
): Promise<Login & { userId: string }> {
  const email = `${name}@${DOMAIN}`;
  const { userId, password } = await createUser({ db }, BY, { tenantId, email, role });
  return { email, password, userId };
}

async function addKey(
  db: Database,
  connection: Connection,
  tenantId: string,
  name: string,
  scopes: string[],
): Promise<Ask> {
  return createAsk(
    connection,
    (await createKey({ db }, service('screenshots'), { tenantId, name, scopes })).value,
  );
}
