// Who the actors of the audit log are, by address, also after they were removed. People of another tenant (those who
// run the service) are not named.

import { fromId, toId } from '../base/ids.ts';
import { selectEmails, selectRemovedEmails } from './audit-store.ts';
import type { Queryable } from '../db/pool.ts';

/** The addresses of actors, by the ids in the log. */
export async function readActorEmails(
  db: Queryable,
  tenantId: string,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const uuids = [...new Set(actors)].map((actor) => fromId('usr', actor)).filter((uuid) => uuid !== null);
  if (uuids.length === 0) return new Map();
  const known = await selectEmails(db, tenantId, uuids);
  const emails = new Map(known.map(({ id, email }) => [toId('usr', id), email]));
  const missing = uuids.map((uuid) => toId('usr', uuid)).filter((id) => !emails.has(id));
  if (missing.length === 0) return emails;
  for (const { id, email } of await selectRemovedEmails(db, tenantId, missing)) emails.set(id, email);
  return emails;
}
