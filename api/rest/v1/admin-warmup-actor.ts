// Under which name an administrator's act stands in the history.

import type { AdminPrincipal, UserPrincipal } from '../../../core/people/authenticate.ts';

/** A person by address, an admin token by its name. */
export function actorName(caller: AdminPrincipal | UserPrincipal): string {
  return caller.kind === 'admin' ? `admin token ${caller.name}` : caller.user.email;
}
