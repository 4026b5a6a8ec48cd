// POST /v3/mail/batch and /v3/user/scheduled_sends: an id for mail that is sent later, and the way to cancel all of it. The id is
// a tag of the messages; nothing else is stored.

import { z } from 'zod';

import { notFound } from '../../../core/base/errors.ts';
import { newUuid } from '../../../core/base/ids.ts';
import { cancelEach } from '../../../core/message/cancel-message.ts';
import { listMessages } from '../../../core/message/list-messages.ts';
import type { ApiDeps } from '../../deps.ts';
import { jsonBody, type Endpoint } from '../../endpoint.ts';
import { defineEndpoint } from '../service.ts';
import { BATCH_TAG } from './to-send.ts';

const GROUP = 'Scheduled sends';
const SENDS = '/v3/user/scheduled_sends';
const READ_AT_ONCE = 500;

const batchId = z.string().min(1).max(100);
const status = z.literal('cancel', { error: 'must be cancel: sends cannot be paused' });
const params = z.object({ batch_id: batchId });

/** Making an id, looking it up, and canceling what was sent with it. */
export const SCHEDULED_SEND_ROUTES: readonly Endpoint[] = [
  defineEndpoint(
    { method: 'POST', path: '/v3/mail/batch', access: 'transactional:send', group: GROUP, status: 201 },
    async () => ({ data: { batch_id: newUuid().replaceAll('-', '') } }),
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: '/v3/mail/batch/{batch_id}',
      access: 'transactional:send',
      group: GROUP,
      params,
      status: 200,
    },
    async ({ params: given }) => ({ data: given }),
  ),
  defineEndpoint(
    {
      method: 'POST',
      path: SENDS,
      access: 'transactional:send',
      group: GROUP,
      body: jsonBody(z.object({ batch_id: batchId, status })),
      status: 201,
      rateClass: 'write',
    },
    async ({ deps, caller: { tenantId }, by, body }) => {
      for await (const ids of waitingOf(deps, tenantId, body.batch_id))
        await cancelEach(deps, by, tenantId, ids);
      return { data: body };
    },
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: `${SENDS}/{batch_id}`,
      access: 'transactional:send',
      group: GROUP,
      params,
      status: 200,
    },
    async ({ deps, caller: { tenantId }, params: { batch_id } }) => {
      const filter = { tag: { name: BATCH_TAG, value: batch_id } };
      const [any] = await listMessages(deps.db.pool, tenantId, filter, { limit: 1 });
      if (!any) throw notFound('batch');
      const [cancelled] = await listMessages(
        deps.db.pool,
        tenantId,
        { ...filter, status: 'cancelled' },
        { limit: 1 },
      );
      return { data: cancelled ? [{ batch_id, status: 'cancel' }] : [] };
    },
  ),
];

async function* waitingOf({ db }: ApiDeps, tenantId: string, batch: string): AsyncGenerator<string[]> {
  const filter = { tag: { name: BATCH_TAG, value: batch }, status: 'deferred' as const };
  for (let before: string | undefined; ;) {
    const page = await listMessages(db.pool, tenantId, filter, { before, limit: READ_AT_ONCE });
    if (page.length > 0) yield page.map(({ id }) => id);
    if (page.length < READ_AT_ONCE) return;
    before = page.at(-1)!.id;
  }
}
