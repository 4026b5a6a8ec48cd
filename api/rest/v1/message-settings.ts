// /settings/messages: whether what messages say is kept.

import { z } from 'zod';

import {
  changeMessageSettings as change,
  messageSettingsChange,
  readMessageSettings as read,
} from '../../../core/tenant/message-settings.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Messages';
const PATH = '/settings/messages';

const settingsView = z
  .object({ keep_content: z.boolean() })
  .meta({ id: 'MessageSettings', description: 'What is kept of messages' });

/** GET /settings/messages */
export const getMessageSettings = defineRoute(
  {
    operationId: 'getMessageSettings',
    method: 'GET',
    path: PATH,
    access: 'settings:read',
    group: GROUP,
    summary: 'Read what is kept of messages',
    response: settingsView,
    status: 200,
  },
  async ({ deps, caller }) => {
    const { keepContent } = await read(deps.db.pool, caller.tenantId);
    return { data: { keep_content: keepContent } };
  },
);

/** PATCH /settings/messages */
export const changeMessageSettings = defineRoute(
  {
    operationId: 'changeMessageSettings',
    method: 'PATCH',
    path: PATH,
    access: 'settings:write',
    group: GROUP,
    summary: 'Change what is kept of messages',
    description:
      'With `keep_content` false, what a message says is shown until it has ended (delivered, bounced, expired, dropped ' +
      'or cancelled) and deleted seconds later; of a message to several recipients, when the last of them has ended. What ' +
      'was accepted before the change is not shown any more either, and deleted at the end of its time.',
    body: jsonBody(messageSettingsChange),
    response: settingsView,
    status: 200,
    example: { keep_content: false },
  },
  async ({ deps, caller, by, body }) => {
    const { keepContent } = await change(deps, by, caller.tenantId, { keepContent: body.keep_content });
    return { data: { keep_content: keepContent } };
  },
);
