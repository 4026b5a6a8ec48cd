// Tokens of signed-in people: JWTs (RFC 7519) signed with Ed25519 (RFC 8037), the key derived from MASTER_KEY, so
// that every process can check them. An access token opens the API for minutes; a refresh token, in a cookie,
// gets the next one. Both are signed, so a refresh token that we never issued cannot end anybody's session.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

import type { Config } from '../base/config.ts';
import { nowDate } from '../base/clock.ts';
import { fromId, newUuid, toId } from '../base/ids.ts';
import { deriveKeys, ed25519FromSeed, sha256 } from '../base/secrets.ts';
import { ROLES, type Role } from './membership-store.ts';

/** Seconds; the contract's 15 minutes. */
export const ACCESS_TOKEN_SECONDS = 900;

/** Days that a session lasts however often it is refreshed; then the password is asked for again. */
export const SESSION_DAYS = 30;

const ACCESS_AUDIENCE = 'postrider';
/** Days that a browser is known after a sign-in: long enough for somebody who signs in twice a year. */
export const KNOWN_BROWSER_DAYS = 180;

const REFRESH_AUDIENCE = 'postrider-refresh';
const BROWSER_AUDIENCE = 'postrider-browser';
const CLOCK_TOLERANCE_SECONDS = 5; // between our own processes

/** What an access token says, in UUIDs. */
interface AccessClaims {
  userId: string;
  /** The tenant that it opens. */
  tenantId: string;
  role: Role;
  sessionId: string;
}

/** Signs and checks the tokens of one deployment. */
export interface AccessTokens {
  signAccess(claims: AccessClaims): Promise<string>;
  /** The claims, or null for anything that is not a current access token of ours. */
  verifyAccess(token: string): Promise<AccessClaims | null>;
  signRefresh(sessionId: string): Promise<string>;
  /** The session of a refresh token of ours, spent or not, or null. */
  verifyRefresh(token: string): Promise<{ sessionId: string } | null>;
  /** For a browser in which the person of this normalized address just signed in. It opens nothing (sign-in-limit.ts). */
  signBrowser(email: string): Promise<string>;
  /** The id of a browser that is known for this normalized address, or null. */
  verifyBrowser(token: string, email: string): Promise<string | null>;
}

interface Signer {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The tokens of a deployment. `iss` is its public URL. */
export function createAccessTokens(
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'PUBLIC_URL'>,
): AccessTokens {
  const signers = deriveKeys(config, 'jwt').map(signerOf);
  const issuer = config.PUBLIC_URL;
  const current = signers[0] as Signer;

  const sign = (audience: string, subject: string, seconds: number, claims: Record<string, string>) => {
    const now = Math.floor(nowDate().getTime() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: current.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(current.privateKey);
  };
  const verify = async (audience: string, token: string) => {
    if (!isCanonical(token)) return null;
    const options = { issuer, audience, algorithms: ['EdDSA'], clockTolerance: CLOCK_TOLERANCE_SECONDS };
    try {
      const keyOf = (header: { kid?: string }) => {
        const signer = signers.find(({ kid }) => kid === header.kid);
        if (!signer) throw new errors.JWKSNoMatchingKey();
        return signer.publicKey;
      };
      return (await jwtVerify(token, keyOf, { ...options, requiredClaims: ['exp', 'sub'] })).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  };

  return {
    signAccess: (claims) =>
      sign(ACCESS_AUDIENCE, toId('usr', claims.userId), ACCESS_TOKEN_SECONDS, {
        tid: toId('tnt', claims.tenantId),
        role: claims.role,
        sid: toId('ses', claims.sessionId),
      }),
    async verifyAccess(token) {
      const payload = await verify(ACCESS_AUDIENCE, token);
      return payload && readClaims(payload);
    },
    signRefresh: (sessionId) =>
      sign(REFRESH_AUDIENCE, toId('ses', sessionId), SESSION_DAYS * 86_400, { jti: newUuid() }),
    async verifyRefresh(token) {
      const payload = await verify(REFRESH_AUDIENCE, token);
      const sessionId = fromId('ses', payload?.sub);
      return sessionId === null ? null : { sessionId };
    },
    signBrowser: (email) =>
      sign(BROWSER_AUDIENCE, browserSubject(email), KNOWN_BROWSER_DAYS * 86_400, { jti: newUuid() }),
    async verifyBrowser(token, email) {
      const payload = await verify(BROWSER_AUDIENCE, token);
      return payload?.sub === browserSubject(email) ? (payload.jti ?? null) : null;
    },
  };
}

// Hashed: another user of a shared computer must not read the address in the cookie.
function browserSubject(email: string): string {
  return sha256(email).toString('base64url');
}

// Decoders ignore characters and bits that base64url leaves over (RFC 4648 3.5): one token has one spelling, so that
// whatever lists or compares tokens as text cannot be passed by another one.
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function readClaims(payload: Record<string, unknown>): AccessClaims | null {
  const userId = fromId('usr', payload['sub']);
  const tenantId = fromId('tnt', payload['tid']);
  const sessionId = fromId('ses', payload['sid']);
  if (userId === null || tenantId === null || sessionId === null) return null;
  const role = ROLES.find((one) => one === payload['role']);
  return role === undefined ? null : { userId, tenantId, sessionId, role };
}

function signerOf(seed: Buffer): Signer {
  const privateKey = ed25519FromSeed(seed);
  const publicKey = createPublicKey(privateKey);
  const kid = sha256(publicKey.export({ format: 'der', type: 'spki' }))
    .toString('base64url')
    .slice(0, 11);
  return { kid, privateKey, publicKey };
}
