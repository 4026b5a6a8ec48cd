// What a new tenant has done of the things that everybody needs once.
// SQL by hand: seven questions in one statement.

import type { Queryable } from '../db/pool.ts';

/** What is done. */
export interface FirstSteps {
  /** The first of its verified domains; null: there is none. */
  sendingDomain: string | null;
  /** Whether it has an API key that works. */
  apiKey: boolean;
  /** Whether a key was ever used. */
  apiCalled: boolean;
  /** Whether its events are posted somewhere. */
  webhook: boolean;
  /** Whether a verified domain has a DMARC record. */
  dmarc: boolean;
  /** Whether somebody else belongs to it or is invited. */
  team: boolean;
}

/** Reads it. */
export async function readFirstSteps(db: Queryable, tenantId: string): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>({
    name: 'first-steps',
    text: `select
             (select name from domains where tenant_id = $1 and status = 'verified' order by built_in, id limit 1)
               as "sendingDomain",
             exists (select from api_keys where tenant_id = $1 and revoked_at is null
               and (expires_at is null or expires_at > now())) as "apiKey",
             exists (select from api_keys where tenant_id = $1 and last_used_at is not null) as "apiCalled",
             exists (select from webhook_endpoints where tenant_id = $1 and kind = 'events' and enabled) as webhook,
             exists (select from domains where tenant_id = $1 and status = 'verified'
               and record_status -> 'dmarc' ->> 'status' = 'found') as dmarc,
             (select count(*) from (select from memberships where tenant_id = $1 limit 2) m) > 1
               or exists (select from invitations where tenant_id = $1 and accepted_at is null and revoked_at is null
                 and expires_at > now()) as team`,
    values: [tenantId],
  });
  return rows[0]!;
}
