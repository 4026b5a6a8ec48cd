// The cookie that ties a sign-in with SSO to the browser that started it: without it, somebody could make another
// person's browser post an answer of their own.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { REQUEST_MINUTES } from '../../core/sso/saml-settings.ts';

// The prefix makes browsers refuse it from anywhere but this very host. SameSite=None, because the answer is a POST
// from the identity provider's page.
const NAME = '__Host-postrider_saml';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None';
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[\w-]{43}$/;

/** A fresh token for a browser that has none. */
export function newBrowserToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The token of a request's browser, or null. One browser keeps its token, so that two tabs can sign in at once. */
export function readBrowserToken(incoming: IncomingMessage): string | null {
  for (const part of (incoming.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=');
    if (name === NAME && value !== undefined && TOKEN_SHAPE.test(value)) return value;
  }
  return null;
}

/** The Set-Cookie line that keeps a token while the request can be answered. */
export function browserCookie(token: string): string {
  return `${NAME}=${token}; ${ATTRIBUTES}; Max-Age=${REQUEST_MINUTES * 60}`;
}

/** The Set-Cookie line that deletes it. */
export function clearedBrowserCookie(): string {
  return `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;
}
