// /admin/tenants/{id}/inbound-webhook-dlq: deliveries that were given up, for super-admins.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { findTenant } from '../../../core/tenant/tenants.ts';
import { listDeadLetters, type DeadLetter } from '../../../core/webhook/dead-letter-store.ts';
import { replayAllDeadLetters, replayDeadLetter } from '../../../core/webhook/dead-letters.ts';
import { decodeCursor, keyTime, TIME_KEY, timeKey, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQueryBy, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Administration';
const PATH = '/admin/tenants/{id}/inbound-webhook-dlq';

const deadLetterView = z
  .object({
    id: idView('dlv'),
    tenant_id: idView('tnt'),
    message_id: idView('inm'),
    recipient: z.string(),
    webhook_url: z.string().nullable(),
    attempts: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    first_attempt_at: z.iso.datetime().nullable(),
    dead_lettered_at: z.iso.datetime(),
    size_bytes: z.int(),
  })
  .meta({ id: 'DeadLetter', description: 'A webhook delivery that failed after all attempts' });

/** GET /admin/tenants/{id}/inbound-webhook-dlq */
export const listInboundDeadLetters = defineRoute(
  {
    operationId: 'listDeadLetters',
    method: 'GET',
    path: PATH,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'List dead-lettered inbound deliveries',
    params: z.object({ id: idInput('tnt') }),
    query: z.strictObject(pageQueryBy([TIME_KEY, UUID_KEY])),
    response: pageOf(deadLetterView),
    status: 200,
  },
  async ({ deps, params, query }) => {
    if (!(await findTenant(deps.home, params.id))) throw notFound('tenant');
    const [at, id] = query.after === undefined ? [] : decodeCursor(query.after, [TIME_KEY, UUID_KEY]);
    const before = at === undefined || id === undefined ? undefined : { at: keyTime(at), id };
    const rows = await listDeadLetters(deps.db.pool, params.id, { limit: query.limit + 1, before });
    const key = (row: DeadLetter) => [timeKey(row.deadLetteredAt), row.id];
    return { data: toPage(rows, query.limit, key, toView) };
  },
);

/** POST /admin/tenants/{id}/inbound-webhook-dlq/{dlv}/replay */
export const replayInboundDeadLetter = defineRoute(
  {
    operationId: 'replayDeadLetter',
    method: 'POST',
    path: `${PATH}/{dlv}/replay`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Replay one dead letter',
    description: 'Keeps its id and starts again with attempt 1.',
    params: z.object({ id: idInput('tnt'), dlv: idInput('dlv') }),
    response: z.object({ id: idView('dlv'), replayed: z.literal(true) }),
    status: 202,
  },
  async ({ deps, by, params }) => {
    await replayDeadLetter(deps, by, params.id, params.dlv);
    return { data: { id: toId('dlv', params.dlv), replayed: true as const } };
  },
);

/** POST /admin/tenants/{id}/inbound-webhook-dlq/replay */
export const replayInboundDeadLetters = defineRoute(
  {
    operationId: 'replayDeadLetters',
    method: 'POST',
    path: `${PATH}/replay`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Replay all dead letters of a tenant',
    params: z.object({ id: idInput('tnt') }),
    response: z.object({ replayed: z.int() }),
    status: 202,
  },
  async ({ deps, by, params }) => ({ data: { replayed: await replayAllDeadLetters(deps, by, params.id) } }),
);

function toView(letter: DeadLetter): z.input<typeof deadLetterView> {
  return {
    id: toId('dlv', letter.id),
    tenant_id: toId('tnt', letter.tenantId),
    message_id: toId('inm', letter.messageId),
    recipient: letter.recipient,
    webhook_url: letter.webhookUrl,
    attempts: letter.attempts,
    last_status_code: letter.lastStatusCode,
    last_error: letter.lastError,
    first_attempt_at: letter.firstAttemptAt?.toISOString() ?? null,
    dead_lettered_at: letter.deadLetteredAt.toISOString(),
    size_bytes: letter.sizeBytes,
  };
}
