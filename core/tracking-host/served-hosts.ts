// Tracking hosts as every api serves them: whose each is, and with which certificate. Believed for two seconds, so that a new
// certificate is served within seconds, everywhere, without a restart; while the database is away, what was known last.

import { createSecureContext, type SecureContext } from 'node:tls';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import { deriveKeys, unseal } from '../base/secrets.ts';
import { SIGN_IN_TLS } from '../base/sign-in-tls.ts';
import type { Buckets } from '../db/buckets.ts';
import type { Database } from '../db/pool.ts';
import { HOME } from '../db/service-tables.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { TRACKING_LABEL } from '../domain/domain.ts';
import { selectCertificates, selectChallenges, selectServed } from './tracking-host-store.ts';

/** A tracking host with a certificate. */
interface ServedHost {
  /** Whose links it serves. */
  tenantId: string;
  context: SecureContext;
}

/** The tracking hosts of one process. */
export interface ServedHosts {
  /** Null when this name is none. Throws when the database is away and nothing is known of the name. */
  get(name: string): Promise<ServedHost | null>;
  /** What to answer to an HTTP-01 challenge; null for tokens that are not ours. */
  answerOf(token: string): Promise<string | null>;
}

const BELIEVED_MS = 2_000;
const CACHED_HOSTS = 10_000; // names that anybody asks for, most of them none of ours
const CACHED_CONTEXTS = 5_000; // about 50 kB each
const MAX_BATCH = 500;
const TOKEN = /^[A-Za-z0-9_-]{20,128}$/; // RFC 8555 section 8.3: at least 128 bits in base64url

/** Makes it. Asks nothing before the first question. */
export function createServedHosts(deps: {
  buckets: Buckets;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'PUBLIC_URL'>;
  log: Logger;
}): ServedHosts {
  const { buckets } = deps;
  const ours = new URL(deps.config.PUBLIC_URL).hostname;
  const options = { isStoreDown: isDatabaseAway, maxItems: MAX_BATCH };
  const ask = createBatchedLookup<string, ServedHost | null>({ ...options, read: createReader(deps) });
  const askChallenge = createBatchedLookup<string, string | null>({
    ...options,
    async read(tokens) {
      const found = await readChallenges(buckets.home, tokens);
      if (found.size < tokens.length)
        for (const bucket of (await buckets.list()).filter((one) => one !== HOME))
          for (const [token, answer] of await readChallenges(buckets.database(bucket), tokens))
            found.set(token, answer);
      return (token) => found.get(token) ?? null;
    },
  });
  const fresh = createLookupCache<ServedHost | null>({ maxAgeMs: BELIEVED_MS, maxEntries: CACHED_HOSTS });
  const last = new Map<string, ServedHost>();
  return {
    async get(name) {
      if (!name.startsWith(`${TRACKING_LABEL}.`) || name === ours) return null;
      try {
        const host = await fresh(name, () => ask(name));
        last.delete(name);
        if (host) last.set(name, host);
        if (last.size > CACHED_CONTEXTS) last.delete(last.keys().next().value as string);
        return host;
      } catch (error) {
        const known = last.get(name);
        if (known) return known;
        throw error;
      }
    },
    answerOf: async (token) => (TOKEN.test(token) ? askChallenge(token) : null),
  };
}

async function readChallenges({ pool }: Database, tokens: string[]): Promise<Map<string, string>> {
  const rows = await selectChallenges(pool, tokens);
  return new Map(rows.map(({ token, answer }) => [token, answer]));
}

function createReader({ buckets, config, log }: Parameters<typeof createServedHosts>[0]) {
  const sealKeys = deriveKeys(config, 'secret-box');
  const contexts = new Map<string, SecureContext>(); // by fingerprint
  const open = (fingerprint: string, chain: string, sealed: Buffer) => {
    try {
      const key = unseal(sealKeys, sealed);
      contexts.set(fingerprint, createSecureContext({ cert: chain, key, ...SIGN_IN_TLS }));
    } catch (error) {
      log.error({ err: error, fingerprint }, 'the certificate of a tracking host cannot be used');
    }
  };
  const readFrom = async ({ pool }: Database, names: string[], found: Map<string, ServedHost>) => {
    const rows = await selectServed(pool, names);
    const missing = rows.filter((row) => !contexts.has(row.certificateFingerprint));
    if (missing.length > 0)
      for (const { fingerprint, chain, sealedKey } of await selectCertificates(pool, missing))
        open(fingerprint, chain, sealedKey);
    for (const { name, tenantId, certificateFingerprint } of rows) {
      const context = contexts.get(certificateFingerprint);
      if (context) found.set(name, { tenantId, context });
    }
  };
  return async (names: string[]) => {
    const found = new Map<string, ServedHost>();
    await readFrom(buckets.home, names, found);
    const missing = names.filter((name) => !found.has(name));
    // A bucket that is away is no trouble for the hosts of others.
    const failed = new Map<string, unknown>();
    for (const [bucket, theirs] of await placesOf(buckets, missing)) {
      await readFrom(buckets.database(bucket), theirs, found).catch((error: unknown) => {
        for (const name of theirs) failed.set(name, error);
      });
    }
    while (contexts.size > CACHED_CONTEXTS) contexts.delete(contexts.keys().next().value as string);
    return (name: string) => {
      if (failed.has(name)) throw failed.get(name);
      return found.get(name) ?? null;
    };
  };
}

// The names of other buckets, by bucket: those of domains whose tenant is there.
async function placesOf(buckets: Buckets, names: string[]): Promise<Map<string, string[]>> {
  if (names.length === 0) return new Map();
  const domainOf = (name: string) => name.slice(TRACKING_LABEL.length + 1);
  const places = await buckets.ofDomainNames(names.map(domainOf));
  const byBucket = Map.groupBy(names, (name) => places.get(domainOf(name)) ?? HOME);
  byBucket.delete(HOME);
  return byBucket;
}
