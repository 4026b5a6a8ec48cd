// What only people who confirmed their identity may do over REST. Keys cannot be asked: their scopes are all that counts.

import type { Principal } from '../../core/people/authenticate.ts';
import { requireConfirmed } from '../../core/people/confirm-identity.ts';
import type { ApiDeps } from '../deps.ts';

/** The description of a route that calls `requireConfirmedCaller`. */
export const CONFIRMED_CALLER =
  'With a JWT it needs a sign-in or `confirmIdentity` (GraphQL) within the last 10 minutes.';

/** Throws `confirmation_required` for a person whose session has no proof of the last minutes. */
export async function requireConfirmedCaller({ db }: Pick<ApiDeps, 'db'>, caller: Principal): Promise<void> {
  if (caller.kind === 'user') await requireConfirmed(db, caller);
}
