// Mail of the service itself: to owners, who are told of their domains unasked, and to who asked for a new password.

import type { Evidence } from './evidence.ts';

/** Whether an address belongs to an owner. */
export function isOwner({ run }: Evidence, recipient: string): boolean {
  return run?.tenants.some(({ owner }) => owner === recipient) ?? false;
}

/** Whether all mail to an address is the service's own. */
export function getsSystemMail(evidence: Evidence, recipient: string): boolean {
  const asked = evidence.askedBy.get(recipient) ?? [];
  return isOwner(evidence, recipient) || asked.some(({ request }) => request.via === 'reset');
}
