// MTA-STS policies as they were fetched, shared by all senders: one that was fetched holds until its max_age is over,
// whatever happens to DNS, to HTTPS or to us meanwhile (RFC 8461 section 5.1).
// SQL by hand: the database's clock decides what has expired, and many domains are read at once.

import type { Queryable } from '../db/pool.ts';
import type { StsPolicy } from './mta-sts.ts';

/** A policy that has not expired. */
export interface StoredPolicy extends StsPolicy {
  domain: string;
  /** The id that its TXT record had when it was fetched. */
  id: string;
  /** Since when it is stored. */
  ageSeconds: number;
}

/** The policies of some domains that have not expired. */
export async function readPolicies(db: Queryable, domains: string[]): Promise<StoredPolicy[]> {
  const { rows } = await db.query<StoredPolicy>({
    name: 'transport.policies',
    text: `select domain, policy_id as id, mode, mx, max_age_seconds as "maxAgeSeconds",
             extract(epoch from now() - fetched_at)::float8 as "ageSeconds"
           from mta_sts_policies where domain = any($1::text[]) and expires_at > now()`,
    values: [domains],
  });
  return rows;
}

/** Stores a policy that was fetched just now. */
export async function writePolicy(db: Queryable, policy: Omit<StoredPolicy, 'ageSeconds'>): Promise<void> {
  const { domain, id, mode, mx, maxAgeSeconds } = policy;
  await db.query({
    name: 'transport.write-policy',
    text: `insert into mta_sts_policies (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at)
           values ($1, $2, $3, $4, $5::int, now(), now() + $5::int * interval '1 second')
           on conflict (domain) do update set policy_id = excluded.policy_id, mode = excluded.mode, mx = excluded.mx,
             max_age_seconds = excluded.max_age_seconds, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at`,
    values: [domain, id, mode, mx, maxAgeSeconds],
  });
}
