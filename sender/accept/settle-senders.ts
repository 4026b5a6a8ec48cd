// Before accepting: a field Sender at another domain than From. It stays if the tenant has verified that domain. Otherwise it
// is removed from ready-made mail; a message whose headers have it is refused with the facts (sender/accept/facts.ts).

import type pg from 'pg';

import { readDomains } from '../../core/message/accept-facts-store.ts';
import { withoutSender } from '../../core/message/outgoing.ts';
import type { Submission } from '../../core/message/submission.ts';

/** Sets `sender` to null in each message that may be sent as it is, and in ready-made mail from which it removes the field. */
export async function settleSenders(pool: pg.Pool, submissions: Submission[]): Promise<void> {
  const named = submissions.flatMap(({ tenantId, messages }) =>
    messages.flatMap((message) =>
      message.sender ? [{ tenantId, message, name: message.sender.domain }] : [],
    ),
  );
  if (named.length === 0) return;
  const domains = await readDomains(pool, named);
  const verified = new Set(
    domains.filter(({ status }) => status === 'verified').map(({ tenantId, name }) => `${tenantId} ${name}`),
  );
  for (const { tenantId, message, name } of named) {
    const mayStay = verified.has(`${tenantId} ${name}`);
    if (!mayStay && !message.sender!.isRaw) continue;
    if (!mayStay) message.content = withoutSender(message.content);
    message.sender = null;
  }
}
