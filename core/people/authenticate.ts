// Who is asking: from a bearer token to a principal.
// Guarantees: a token that is not ours by checksum or signature costs no database read; a key that was revoked or has
// expired, an ended session, or one of somebody who left the tenant, opens nothing a second later on any process, because
// nobody believes a look-up for longer than that. From where a key may be used is asked at every request.

import { isInRanges, parseAddress, parseRange } from '../base/address-range.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { databaseAway, isDatabaseAway } from '../db/transaction.ts';
import type { AccessTokens } from './access-token.ts';
import { selectLiveAdminToken } from '../key/admin-token-store.ts';
import { selectLiveKey } from '../key/key-store.ts';
import { createLastUsed } from '../key/last-used.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import { ALL_SCOPES, READ_SCOPES, type Scope } from '../key/scope.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import { tokenPrefix } from '../key/token-value.ts';
import type { Role, User } from './membership-store.ts';
import { isSecondFactorRequired, type SecondFactorSetting } from './second-factor-rule.ts';
import { selectSessionUser, type SignInMethod } from './session-store.ts';

/** A server of a tenant, by API key. */
export interface KeyPrincipal {
  kind: 'key';
  tenantId: string;
  tenant: Tenant;
  keyId: string;
  /** The only domain that it may send from, all that it may do; null: whatever its scopes allow. */
  onlyDomain: string | null;
  scopes: ReadonlySet<Scope>;
}

/** A signed-in person in one of their tenants, by access token. */
export interface UserPrincipal {
  kind: 'user';
  tenantId: string;
  tenant: Tenant;
  userId: string;
  user: User;
  sessionId: string;
  /** How the session began. One by SSO stays in its tenant. */
  method: SignInMethod;
  role: Role;
  onlyDomain: null;
  scopes: ReadonlySet<Scope>;
  /** A second factor is required and not set up: setting it up is all that they may do. */
  lacksSecondFactor: boolean;
}

/** An administrator of the service, by admin token. */
export interface AdminPrincipal {
  kind: 'admin';
  tokenId: string;
  name: string;
}

/** Who is asking. */
export type Principal = KeyPrincipal | UserPrincipal | AdminPrincipal;

/** Who a token is, or why it opens nothing: `unauthorized`, or `forbidden` for a key at an address that it excludes. */
export type Identity = { principal: Principal; refusal: null } | { principal: null; refusal: AppError };

/** Turns tokens into principals, for one process. */
export interface Authenticator {
  /** `address` is the client's in full. Throws `unavailable` when the database is away. */
  authenticate(token: string, address: string): Promise<Identity>;
  /** Writes the times of use that are still in memory. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const BELIEVED_MS = 800; // with the read itself this stays under the promised second
const CACHED_TOKENS = 20_000; // about 10 MB; a key with the longest allow list takes 10 kB more
const MAX_TOKEN_CHARS = 2_048; // an access token has about 500

/** The authenticator of one process. */
export function createAuthenticator(deps: {
  db: Database;
  tokens: AccessTokens;
  config: SecondFactorSetting;
  log: Logger;
}): Authenticator {
  const { db } = deps;
  const lookup = createLookupCache<Found>({ maxAgeMs: BELIEVED_MS, maxEntries: CACHED_TOKENS });
  const lastUsed = createLastUsed(db, deps.log);

  async function authenticate(token: string, address: string): Promise<Identity> {
    if (token.length > MAX_TOKEN_CHARS) return notValid();
    const read = readerOf(deps, token);
    if (!read) return notValid();
    try {
      const found = await lookup(token, read);
      if (found === null) return notValid();
      if ('refusal' in found) return found;
      const { principal } = found;
      if (found.allows && !found.allows(address)) {
        if (principal.kind === 'key') lastUsed.refused(principal.keyId, address);
        return wrongAddress(address);
      }
      if (principal.kind === 'key') lastUsed.mark(principal.keyId);
      return { principal, refusal: null };
    } catch (error) {
      throw isDatabaseAway(error) ? databaseAway(error) : error;
    }
  }
  return { authenticate, flush: () => lastUsed.flush(), close: () => lastUsed.close() };
}

interface People {
  db: Database;
  tokens: AccessTokens;
  config: SecondFactorSetting;
}

// What is believed of a token for a moment. It is the same for all addresses, so `allows` answers for each.
type Found =
  | { principal: Principal; allows?: ((address: string) => boolean) | undefined }
  | { principal: null; refusal: AppError }
  | null;

function readerOf(people: People, token: string): (() => Promise<Found>) | null {
  const { db } = people;
  const prefix = tokenPrefix(token);
  if (prefix === 'sk_live_') return () => findKey(db, token);
  if (prefix === 'sa_live_') return () => adminPrincipal(db, token).then(asFound);
  return token.startsWith('eyJ') ? () => userPrincipal(people, token).then(asFound) : null;
}

function asFound(principal: Principal | null): Found {
  return principal && { principal };
}

async function findKey(db: Database, token: string): Promise<Found> {
  const found = await selectLiveKey(db.pool, sha256(token));
  if (!found) return null;
  const { key, tenant, isExpired } = found;
  if (isExpired) {
    const at = key.expiresAt?.toISOString();
    const refusal = new AppError('unauthorized', `The API key expired at ${at}. Use another key.`);
    return { principal: null, refusal };
  }
  const scopes = new Set(key.scopes);
  return {
    principal: { kind: 'key', tenantId: tenant.id, tenant, keyId: key.id, onlyDomain: key.domain, scopes },
    allows: allowOnly(key.allowedAddresses),
  };
}

// Undefined where every address is fine. What cannot be read allows nothing.
function allowOnly(allowed: string[]): ((address: string) => boolean) | undefined {
  if (allowed.length === 0) return undefined;
  const ranges = allowed.map(parseRange).flatMap((parsed) => (parsed.ok ? [parsed.range] : []));
  return (text) => {
    const address = parseAddress(text);
    return address !== null && isInRanges(address, ranges);
  };
}

function notValid(): Identity {
  return {
    principal: null,
    refusal: new AppError('unauthorized', 'The API key is not valid or was revoked.'),
  };
}

function wrongAddress(address: string): Identity {
  const text = `The API key may not be used from ${address}. Its owner can create one with other allowed addresses.`;
  return { principal: null, refusal: new AppError('forbidden', text) };
}

async function adminPrincipal(db: Database, token: string): Promise<AdminPrincipal | null> {
  const found = await selectLiveAdminToken(db.pool, sha256(token));
  return found && { kind: 'admin', tokenId: found.id, name: found.name };
}

async function userPrincipal({ db, tokens, config }: People, token: string): Promise<UserPrincipal | null> {
  const claims = await tokens.verifyAccess(token);
  if (!claims) return null;
  const live = await selectSessionUser(db.pool, claims.sessionId, claims.tenantId);
  if (!live || live.user.id !== claims.userId) return null;
  const { tenant, user, method } = live;
  const { role } = user;
  return {
    kind: 'user',
    tenantId: tenant.id,
    tenant,
    userId: user.id,
    user,
    sessionId: claims.sessionId,
    method,
    role,
    onlyDomain: null,
    lacksSecondFactor: !user.hasSecondFactor && isSecondFactorRequired(config, { tenant, role, method }),
    scopes: role === 'viewer' ? READ_SCOPES : ALL_SCOPES,
  };
}
