// The cookie that carries the refresh token, a second one that scripts may read and that tells when the first has changed,
// and the guard around what uses the token.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { AppError } from '../../core/base/errors.ts';
import { SESSION_DAYS } from '../../core/people/access-token.ts';

const NAME = '__Secure-postrider_refresh'; // browsers take that prefix from https only, with Secure (RFC 6265bis 4.1.3)
const MARK_NAME = '__Secure-postrider_refreshed'; // as dashboard/src/graphql/session.ts reads it
const DAY_SECONDS = 86_400;
const ATTRIBUTES = 'Path=/graphql; HttpOnly; Secure; SameSite=Strict';

/** The Set-Cookie lines that keep a refresh token. */
export function refreshCookies(token: string): string[] {
  return sessionCookies(token, randomBytes(6).toString('base64url'), SESSION_DAYS);
}

/** The Set-Cookie lines that delete it. */
export function clearedCookies(): string[] {
  return sessionCookies('', '', 0);
}

function sessionCookies(token: string, mark: string, days: number): string[] {
  const ofScripts = `${MARK_NAME}=${mark}; Path=/; Secure; SameSite=Strict; Max-Age=${days * DAY_SECONDS}`;
  return [cookieLine(NAME, token, days), ofScripts];
}

/** The refresh token of a request, or null. */
export function readRefreshCookie(incoming: IncomingMessage): string | null {
  return readCookie(incoming, NAME);
}

/** A Set-Cookie line of a cookie that scripts and other sites never see. */
export function cookieLine(name: string, value: string, days: number): string {
  return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${days * DAY_SECONDS}`;
}

/** The value of a cookie of a request, or null. */
export function readCookie(incoming: IncomingMessage, wanted: string): string | null {
  for (const part of (incoming.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=');
    if (name === wanted && value) return value;
  }
  return null;
}

/**
 * Refuses cookie operations that another site's page started. SameSite=Strict already keeps the cookie from them;
 * this also holds in browsers that do not know it, and for sites under the same registrable domain. What the request
 * says of its own host counts for nothing: a name that somebody points at us would be its own proof (DNS rebinding).
 */
export function requireOwnOrigin(incoming: IncomingMessage, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = incoming.headers;
  const own = new URL(publicUrl).origin;
  if ((origin !== undefined && origin.toLowerCase() !== own) || site === 'cross-site') {
    throw new AppError(
      'forbidden',
      `Requests from other sites cannot use the session. The dashboard is at ${own}.`,
    );
  }
}
