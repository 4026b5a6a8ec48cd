// Opening a session, the one way in for passwords, invitations and SSO; and moving it to another tenant.

import type pg from 'pg';

import { userActor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { RecordChange } from '../audit/change.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import { SESSION_DAYS, type AccessTokens } from './access-token.ts';
import { addSystemMail } from '../system-mail/system-mail-store.ts';
import { browserName } from './browser-name.ts';
import type { User } from './membership-store.ts';
import { insertSession, selectOrigins, updateSessionTenant, type SignInMethod } from './session-store.ts';

const USER_AGENT_CHARS = 400; // what is kept of it for the list of sessions

/** A signed-in session: the token for the API and the token for the cookie. */
export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  user: User;
}

/** Where a sign-in comes from. */
export interface Origin {
  /** Client address, as the rate limits count it. */
  ip: string;
  userAgent: string;
}

/**
 * Opens a session of a person whose identity was proved, in one of their tenants, in the caller's transaction. From an
 * address or a browser that was not seen before, the person gets mail about it.
 */
export async function openSession(
  client: pg.PoolClient,
  tokens: AccessTokens,
  user: User,
  from: Origin & { method: SignInMethod },
): Promise<SignedIn> {
  const id = newUuid();
  const refreshToken = await tokens.signRefresh(id);
  const { ip, method } = from;
  const userAgent = from.userAgent.slice(0, USER_AGENT_CHARS);
  if (await isFromElsewhere(client, user, { ip, userAgent })) {
    const data = { ip, browser: browserName(userAgent), sso: method === 'saml' };
    await addSystemMail(client, { recipient: user.email, tenantId: null }, { kind: 'new_sign_in', data });
  }
  await insertSession(client, {
    id,
    user,
    refreshHash: sha256(refreshToken),
    userAgent,
    ip,
    method,
    days: SESSION_DAYS,
  });
  await insertAudit(client, userActor(user, ip), {
    tenantId: user.tenantId,
    action: 'session.started',
    subject: toId('ses', id),
    details: { method },
  });
  return { accessToken: await accessFor(tokens, user, id), refreshToken, user };
}

// Compared with the sessions that the person had, which is all that is kept. The first one ever is no news to them.
async function isFromElsewhere(
  client: pg.PoolClient,
  { id }: User,
  { ip, userAgent }: Origin,
): Promise<boolean> {
  const known = await selectOrigins(client, id);
  if (known.length === 0) return false;
  const browser = browserName(userAgent);
  return !(
    known.some((origin) => origin.ip === ip) &&
    known.some((origin) => browserName(origin.userAgent) === browser)
  );
}

/** Makes a session work in another tenant of its person from now on, in the caller's change. */
export async function moveSession(
  client: pg.PoolClient,
  record: RecordChange,
  sessionId: string,
  user: User,
): Promise<void> {
  await updateSessionTenant(client, sessionId, user);
  const { tenantId } = user;
  await record({ tenantId, action: 'session.switched', subject: toId('ses', sessionId) });
}

/** The access token of a person's session. */
export function accessFor(tokens: AccessTokens, user: User, sessionId: string): Promise<string> {
  return tokens.signAccess({ userId: user.id, tenantId: user.tenantId, role: user.role, sessionId });
}
