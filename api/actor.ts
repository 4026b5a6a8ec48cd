// The caller of a request as the audit log knows them.

import { userActor, type Actor } from '../core/audit/actor.ts';
import type { Principal } from '../core/people/authenticate.ts';

/** The actor behind a principal. `changeId` is that of a request that makes one change. */
export function actorOf(principal: Principal, ip: string, changeId?: string): Actor {
  const origin = { ip, ...(changeId !== undefined && { changeId }) };
  switch (principal.kind) {
    case 'user':
      return { ...userActor(principal.user, ip), ...origin };
    case 'key':
      return { kind: 'api_key', keyId: principal.keyId, ...origin };
    case 'admin':
      return { kind: 'admin_token', tokenId: principal.tokenId, name: principal.name, ...origin };
    default:
      return principal satisfies never;
  }
}
