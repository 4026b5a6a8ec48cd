// Who the actors of the audit log are, by address, also after they were removed. Whoever has changed something in a tenant is
// named to it, people who run the service too.

import { fromId, toId } from '../base/ids.ts';
import { selectEmails, selectPersonId, selectRemovedEmails, selectRemovedIds } from './audit-store.ts';
import type { Queryable } from '../db/pool.ts';
import { normalizeEmail } from '../mail/address.ts';

/** The addresses of actors, by the ids in the log. The ids must come from rows of the tenant's log. */
export async function readActorEmails(
  db: Queryable,
  tenantId: string,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const uuids = [...new Set(actors)].map((actor) => fromId('usr', actor)).filter((uuid) => uuid !== null);
  if (uuids.length === 0) return new Map();
  const known = await selectEmails(db, uuids);
  const emails = new Map(known.map(({ id, email }) => [toId('usr', id), email]));
  const missing = uuids.map((uuid) => toId('usr', uuid)).filter((id) => !emails.has(id));
  if (missing.length === 0) return emails;
  for (const { id, email } of await selectRemovedEmails(db, tenantId, missing)) emails.set(id, email);
  return emails;
}

/** The actors that a filter names: a person by address, or a key, token or job as the log spells it. None: nobody is. */
export async function findActors(db: Queryable, tenantId: string, named: string): Promise<string[]> {
  if (!named.includes('@')) return [named];
  const email = normalizeEmail(named);
  const [uuid, removed] = await Promise.all([
    selectPersonId(db, email),
    selectRemovedIds(db, tenantId, email),
  ]);
  return [...(uuid === null ? [] : [toId('usr', uuid)]), ...removed];
}
