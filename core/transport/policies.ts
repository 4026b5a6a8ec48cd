// The MTA-STS policy of a recipient's domain (RFC 8461): announced in DNS, fetched over HTTPS, kept in the database.
//
// Guarantee: a policy that was fetched once holds until it expires or a newer one was fetched, also when its record or its
// file is gone or blocked. A domain is looked up once in five minutes per process, whatever the number of its messages.

import type pg from 'pg';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import type { Logger } from '../base/log.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import type { Dns } from '../clients/dns.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { readPolicy, readPolicyId, type ReadPolicy, type StsPolicy } from './mta-sts.ts';
import { readPolicies, writePolicy, type StoredPolicy } from './policy-store.ts';

/** Looks up the policy of a domain; null without one, and for one whose mode is `none`. Throws without the database. */
export type FindPolicy = (domain: string) => Promise<StsPolicy | null>;

/** What finding policies needs. */
export interface FindPolicyDeps {
  pool: pg.Pool;
  dns: Pick<Dns, 'txt'>;
  http: Pick<GuardedHttp, 'get'>;
  log: Logger;
  /** Of the policy hosts; 443 but in tests. */
  port: number;
  /** Factor on how long a look-up is believed; 1 but in tests. */
  scale: number;
}

const CHECK_MS = 300_000; // section 3.3: a fetch that failed is tried again after five minutes
const MAX_DOMAINS = 20_000; // in memory, about 300 bytes each
const MAX_BATCH = 500;
const FETCH_MS = 15_000; // section 3.3 suggests a minute; the first messages to the domain wait for it
const REFRESH_S = 86_400; // section 10.2: so that a policy is seldom about to expire when its file is blocked

/** Makes the look-up of one process. */
export function createFindPolicy(deps: FindPolicyDeps): FindPolicy {
  const cache = createLookupCache<StsPolicy | null>({
    maxAgeMs: CHECK_MS * deps.scale,
    maxEntries: MAX_DOMAINS,
  });
  const readStored = createBatchedLookup<string, StoredPolicy | null>({
    async read(domains) {
      const stored = new Map(
        (await readPolicies(deps.pool, domains)).map((policy) => [policy.domain, policy]),
      );
      return (domain) => stored.get(domain) ?? null;
    },
    isStoreDown: isDatabaseAway,
    maxItems: MAX_BATCH,
  });
  return (name) => {
    const domain = name.toLowerCase();
    return cache(domain, async () => {
      const [stored, id] = await Promise.all([readStored(domain), findId(deps.dns, domain)]);
      const policy = await current(deps, domain, stored, id);
      return policy === null || policy.mode === 'none' ? null : policy;
    });
  };
}

async function current(
  deps: FindPolicyDeps,
  domain: string,
  stored: StoredPolicy | null,
  id: string | null,
): Promise<StsPolicy | null> {
  if (id === null) return stored;
  if (stored?.id !== id) return (await refresh(deps, domain, id)) ?? stored;
  if (stored.ageSeconds > REFRESH_S) {
    void refresh(deps, domain, id).catch((error: unknown) =>
      deps.log.warn({ err: error, domain }, 'an MTA-STS policy could not be refreshed; the stored one holds'),
    );
  }
  return stored;
}

// No answer is no record: without a stored policy mail then goes as if there were none (section 3.3).
async function findId(dns: Pick<Dns, 'txt'>, domain: string): Promise<string | null> {
  const answer = await dns.txt(`_mta-sts.${domain}`);
  return answer.kind === 'found' ? readPolicyId(answer.records) : null;
}

async function refresh(deps: FindPolicyDeps, domain: string, id: string): Promise<StsPolicy | null> {
  const read = await fetchPolicy(deps, domain);
  if (!read.ok) {
    deps.log.warn({ domain, why: read.detail }, 'an MTA-STS policy could not be fetched');
    return null;
  }
  await writePolicy(deps.pool, { domain, id, ...read.policy });
  return read.policy;
}

// Section 3.3: HTTPS with a certificate that is valid for the policy host, and no redirects.
async function fetchPolicy({ http, port }: FindPolicyDeps, domain: string): Promise<ReadPolicy> {
  const authority = port === 443 ? `mta-sts.${domain}` : `mta-sts.${domain}:${port}`;
  const answer = await http.get(`https://${authority}/.well-known/mta-sts.txt`, FETCH_MS);
  if (answer.kind !== 'answered') return { ok: false, detail: answer.detail };
  if (answer.status !== 200) return { ok: false, detail: `the policy host answered ${answer.status}` };
  if (!/^text\/plain\s*(;|$)/i.test(answer.contentType ?? ''))
    return { ok: false, detail: `the policy is of type ${answer.contentType ?? 'none'}, not text/plain` };
  if (!answer.whole) return { ok: false, detail: 'the policy is longer than 64 KiB or was cut off' };
  return readPolicy(answer.body);
}
