// GET /transactional: the messages of a tenant, by any mixture of filters.

import { z } from 'zod';

import { messageFilters, toMessageFilter } from '../../../core/message/list-input.ts';
import { listMessages as list } from '../../../core/message/list-messages.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';
import { messageSummaryView, toSummaryView } from './get-message.ts';

/** GET /transactional */
export const listMessages = defineRoute(
  {
    operationId: 'listMessages',
    method: 'GET',
    path: '/transactional',
    access: 'transactional:read',
    group: 'Messages',
    summary: 'List messages',
    description: 'Newest first. What several filters are given for must match all of them.',
    query: z.strictObject({ ...pageQuery, ...messageFilters }),
    response: pageOf(messageSummaryView),
    status: 200,
    quotaHeaders: true,
  },
  async ({ deps, caller, query: { after, limit, ...filters } }) => {
    const [before] = after === undefined ? [] : decodeCursor(after, [UUID_KEY]);
    const messages = await list(deps.db.pool, caller.tenantId, toMessageFilter(filters), {
      before,
      limit: limit + 1,
    });
    return { data: toPage(messages, limit, ({ id }) => [id], toSummaryView) };
  },
);
