// The senders as the api calls them: about the tenant that a request is for, those that have its bucket open.

import { toId } from '../core/base/ids.ts';
import { whileWaiting } from '../core/base/loop-time.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import { HOME } from '../core/db/service-tables.ts';
import type { TenantDatabase } from './tenant-database.ts';

/**
 * The same senders. A call about the current tenant goes to those of its bucket, any other call to any sender: mail that the
 * service sends to people is its own tenant's, say.
 */
export function createTenantSender(
  sender: SenderClient,
  { current }: Pick<TenantDatabase, 'current'>,
): SenderClient {
  const about = ({ tenantId }: { tenantId: string }): SenderClient => {
    const tenant = current();
    if (tenant === undefined || tenant.bucket === HOME) return sender;
    return toId('tnt', tenant.id) === tenantId ? sender.inBucket(tenant.bucket) : sender;
  };
  return {
    ...sender,
    send: (request, signal) => whileWaiting(about(request).send(request, signal)),
    sendBatch: (request) => whileWaiting(about(request).sendBatch(request)),
    releaseDeferred: (request, onProgress) => about(request).releaseDeferred(request, onProgress),
  };
}
