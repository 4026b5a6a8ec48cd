// The answer of an identity provider: from a posted response to a session.
// Guarantees: one request is answered once, by the browser that started it; one assertion is used once, on whichever
// process; an identity provider opens sessions in its own tenant only, which they never leave, and never of a super_admin;
// it makes people only of domains that its tenant has verified.

import type pg from 'pg';

import { nobody, service, userActor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { nowMs } from '../base/clock.ts';
import { toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import { inTransaction } from '../db/transaction.ts';
import type { AccessTokens } from '../people/access-token.ts';
import { acceptOpen } from '../people/invitation-store.ts';
import { joinByInvitation } from '../people/invitations.ts';
import { selectUser, type User } from '../people/membership-store.ts';
import { openSession, type Origin, type SignedIn } from '../people/open-session.ts';
import { joinTenant, lockOrInsert } from '../people/users.ts';
import { selectUsable, selectVerifiedDomains, type SamlConnection } from './connection-store.ts';
import { decodeResponse } from './decode-response.ts';
import { insertAssertion, takeRequest } from './request-store.ts';
import type { VerifiedPerson } from './saml-job.ts';
import type { SamlReader } from './saml-reader.ts';
import { serviceProvider, type ServiceProvider } from './service-provider.ts';
import type { SsoDeps } from './start-login.ts';

/** Why nobody was signed in. */
export type SsoRefusal =
  | 'unavailable' // the tenant has no SSO, or not now
  | 'stale' // not an answer to a request of this browser, or no longer
  | 'idp_refused' // the identity provider says that it failed
  | 'invalid' // something is wrong with the answer
  | 'expired'
  | 'no_email'
  | 'replayed'
  | 'unknown_person'
  | 'domain_unverified' // the tenant does not have the domain of the address verified any more
  | 'super_admin';

/** A session, or why not; `why` is for the log and the audit log. */
export type SsoOutcome = { ok: true; session: SignedIn } | { ok: false; refusal: SsoRefusal; why: string };

/** A posted answer and the browser that sent it. */
export interface PostedResponse {
  samlResponse: string;
  browserToken: string;
}

/** What finishing a sign-in needs. */
interface LoginDeps extends SsoDeps {
  tokens: AccessTokens;
  saml: SamlReader;
}

/** Checks an answer and opens the session. Throws `unavailable` when a store is away, or too many answers wait. */
export async function finishLogin(
  deps: LoginDeps,
  tenantId: string,
  posted: PostedResponse,
  origin: Origin,
): Promise<SsoOutcome> {
  if (posted.browserToken === '') return refuse('stale', 'this browser started no sign-in');
  const connection = await selectUsable(deps.db.pool, tenantId);
  if (!connection) return refuse('unavailable', 'there is no enabled connection');
  const response = decodeResponse(posted.samlResponse);
  const request = response && (await take(deps, tenantId, response.inResponseTo, posted.browserToken));
  if (!request) return refuse('stale', 'no such request of this browser');
  const provider = serviceProvider(deps.config, tenantId);
  const outcome = await finish(deps, { tenantId, connection, provider, request }, response.xml, origin);
  if (!outcome.ok) await auditRefusal(deps, tenantId, outcome, origin.ip);
  return outcome;
}

interface Login {
  tenantId: string;
  connection: SamlConnection;
  provider: ServiceProvider;
  request: { id: string; createdAt: Date };
}

async function finish(deps: LoginDeps, login: Login, xml: string, origin: Origin): Promise<SsoOutcome> {
  const expected = { ...login, nowMs: nowMs() };
  const read = await deps.saml.readResponse(login.tenantId, xml, expected);
  return read.ok ? open(deps, login, read.person, origin) : refuse(read.reason, read.why);
}

async function take(deps: SsoDeps, tenantId: string, id: string, browserToken: string) {
  const taken = await takeRequest(deps.db.pool, { id, tenantId, browserHash: sha256(browserToken) });
  return taken && { id, createdAt: taken.createdAt };
}

async function open(
  deps: LoginDeps,
  { tenantId, connection }: Login,
  person: VerifiedPerson,
  origin: Origin,
): Promise<SsoOutcome> {
  return inTransaction(deps.db.pool, async (client): Promise<SsoOutcome> => {
    if (!(await insertAssertion(client, tenantId, person.assertionId))) {
      return refuse('replayed', 'the assertion was used before');
    }
    const { email, domain } = person;
    const isListed = connection.emailDomains.includes(domain);
    if (isListed && (await selectVerifiedDomains(client, tenantId, [domain])).length === 0) {
      return refuse('domain_unverified', `${domain} is not verified any more`);
    }
    const known = await selectUser(client, tenantId, { email });
    const user = known ?? (isListed ? await join(client, { tenantId, email, ip: origin.ip }) : null);
    if (!user) return refuse('unknown_person', `${email} has no account in this tenant`);
    if (user.role === 'super_admin') return refuse('super_admin', `${email} is a super_admin`);
    const session = await openSession(client, deps.tokens, user, { ...origin, method: 'saml' });
    return { ok: true, session };
  });
}

// Somebody of a domain that the tenant has verified: with the role of an open invitation, else as a member. People of
// other domains open the link of their invitation first, which proves that the address is theirs.
async function join(
  client: pg.PoolClient,
  { tenantId, email, ip }: { tenantId: string; email: string; ip: string },
): Promise<User | null> {
  const person = await lockOrInsert(client, email);
  const invitation = await acceptOpen(client, tenantId, { email });
  const joined = invitation
    ? await joinByInvitation(client, userActor(person, ip), invitation)
    : await joinTenant(client, { ...service('sso'), ip }, { tenantId, userId: person.id, role: 'member' });
  return joined ?? selectUser(client, tenantId, { email }); // another of their browsers was faster
}

function refuse(refusal: SsoRefusal, why: string): Extract<SsoOutcome, { ok: false }> {
  return { ok: false, refusal, why };
}

// Only for requests that were ours, each of which is used up: unauthenticated callers cannot fill the log.
async function auditRefusal(
  { db }: SsoDeps,
  tenantId: string,
  { refusal, why }: Extract<SsoOutcome, { ok: false }>,
  ip: string,
): Promise<void> {
  await insertAudit(db.pool, nobody(ip), {
    tenantId,
    action: 'sign_in.failed',
    subject: toId('tnt', tenantId),
    details: { method: 'saml', refusal, why },
  });
}
