// Tracking hosts as every api serves them: whose each is, and with which certificate. Believed for two seconds, so that a new
// certificate is served within seconds, everywhere, without a restart; while the database is away, what was known last.

import { createSecureContext, type SecureContext } from 'node:tls';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import { deriveKeys, unseal } from '../base/secrets.ts';
import { SIGN_IN_TLS } from '../base/sign-in-tls.ts';
import type { Database } from '../db/pool.ts';
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
  db: Database;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'PUBLIC_URL'>;
  log: Logger;
}): ServedHosts {
  const { pool } = deps.db;
  const ours = new URL(deps.config.PUBLIC_URL).hostname;
  const options = { isStoreDown: isDatabaseAway, maxItems: MAX_BATCH };
  const ask = createBatchedLookup<string, ServedHost | null>({ ...options, read: createReader(deps) });
  const askChallenge = createBatchedLookup<string, string | null>({
    ...options,
    async read(tokens) {
      const found = new Map(
        (await selectChallenges(pool, tokens)).map(({ token, answer }) => [token, answer]),
      );
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

function createReader({ db, config, log }: Parameters<typeof createServedHosts>[0]) {
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
  return async (names: string[]) => {
    const rows = await selectServed(db.pool, names);
    const missing = rows.filter((row) => !contexts.has(row.certificateFingerprint));
    if (missing.length > 0)
      for (const { fingerprint, chain, sealedKey } of await selectCertificates(db.pool, missing))
        open(fingerprint, chain, sealedKey);
    const found = new Map<string, ServedHost>();
    for (const { name, tenantId, certificateFingerprint } of rows) {
      const context = contexts.get(certificateFingerprint);
      if (context) found.set(name, { tenantId, context });
    }
    while (contexts.size > CACHED_CONTEXTS) contexts.delete(contexts.keys().next().value as string);
    return (name: string) => found.get(name) ?? null;
  };
}
