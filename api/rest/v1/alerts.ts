// /alerts, /alert-rules, /settings/alerts: what a tenant is alerted about, and what was found.

import { z } from 'zod';

import {
  changeAlertRule,
  changeAlertSettings,
  createAlertRule,
  deleteAlertRule,
  testAlertChat,
} from '../../../core/alert/alert-rules.ts';
import {
  alertKind,
  alertRuleChange,
  alertSettingsChange,
  newAlertRule,
} from '../../../core/alert/alert-input.ts';
import { alertSentence } from '../../../core/alert/alert-kinds.ts';
import {
  listAlertRules,
  listAlerts,
  selectAlertSettings,
  type Alert,
  type AlertRule,
} from '../../../core/alert/alert-store.ts';
import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { jsonBody } from '../../endpoint.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import { testSendView, toTestSendView } from './test-send-view.ts';

const GROUP = 'Alerts';
const SETTINGS = '/settings/alerts';
const params = z.object({ id: idInput('alr') });

const ruleView = z
  .object({
    id: idView('alr'),
    kind: alertKind,
    domain_id: idView('dom').nullable(),
    threshold: z.number(),
    enabled: z.boolean(),
    mail: z.boolean(),
    chat: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'AlertRule', description: 'What is watched, from which value on, and who is told' });

const alertView = z
  .object({
    id: idView('alt'),
    rule_id: idView('alr'),
    kind: alertKind,
    subject: z
      .string()
      .meta({ description: 'name of the domain, URL of the webhook, name of the key or of the account' }),
    domain_id: idView('dom').nullable(),
    value: z.number().meta({ description: 'as it opened, in the unit of the kind' }),
    threshold: z.number(),
    text: z.string().meta({ description: 'the same as one sentence' }),
    opened_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Alert', description: 'Something that reached its threshold' });

const settingsView = z
  .object({
    chat_host: z
      .string()
      .nullable()
      .meta({ description: 'the host of the chat webhook; its URL is not shown' }),
  })
  .meta({ id: 'AlertSettings', description: 'Where alerts are posted to' });

const postRule = defineRoute(
  {
    operationId: 'createAlertRule',
    method: 'POST',
    path: '/alert-rules',
    access: 'settings:write',
    group: GROUP,
    summary: 'Create an alert rule',
    description:
      'An alert opens when the value reaches the threshold, once, and is resolved when it is well again (rates: below 80 % of ' +
      'it). A rule of a domain stands instead of the rule for all. A tenant may have 200.',
    body: jsonBody(newAlertRule),
    response: ruleView,
    status: 201,
    example: { kind: 'bounce_rate', threshold: 3 },
  },
  async ({ deps, caller, by, body }) => ({
    data: toRule(await createAlertRule(deps.webhook, by, caller.tenantId, body)),
  }),
);

const getRules = defineRoute(
  {
    operationId: 'listAlertRules',
    method: 'GET',
    path: '/alert-rules',
    access: 'settings:read',
    group: GROUP,
    summary: 'List alert rules',
    query: z.strictObject(pageQuery),
    response: pageOf(ruleView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const page = { before: beforeOf(query.after), limit: query.limit + 1 };
    const rows = await listAlertRules(deps.db.pool, caller.tenantId, page);
    return { data: toPage(rows, query.limit, (row) => [row.id], toRule) };
  },
);

const patchRule = defineRoute(
  {
    operationId: 'changeAlertRule',
    method: 'PATCH',
    path: '/alert-rules/{id}',
    access: 'settings:write',
    group: GROUP,
    summary: 'Change an alert rule',
    params,
    body: jsonBody(alertRuleChange),
    response: ruleView,
    status: 200,
    example: { threshold: 5, chat: false },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toRule(await changeAlertRule(deps.webhook, by, caller.tenantId, id, body)),
  }),
);

const removeRule = defineRoute(
  {
    operationId: 'deleteAlertRule',
    method: 'DELETE',
    path: '/alert-rules/{id}',
    access: 'settings:write',
    group: GROUP,
    summary: 'Delete an alert rule',
    description: 'Its open alerts end with it.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await deleteAlertRule(deps.webhook, by, caller.tenantId, id);
    return { data: { id: toId('alr', id), deleted: true as const } };
  },
);

const getAlerts = defineRoute(
  {
    operationId: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    access: 'settings:read',
    group: GROUP,
    summary: 'List alerts',
    description: 'Newest first; kept for 400 days after they were resolved.',
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(['open', 'resolved']).optional().meta({ description: 'only these' }),
    }),
    response: pageOf(alertView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const open = query.status && query.status === 'open';
    const page = { before: beforeOf(query.after), limit: query.limit + 1, open };
    const rows = await listAlerts(deps.db.pool, caller.tenantId, page);
    return { data: toPage(rows, query.limit, (row) => [row.id], toAlert) };
  },
);

const getSettings = defineRoute(
  {
    operationId: 'getAlertSettings',
    method: 'GET',
    path: SETTINGS,
    access: 'settings:read',
    group: GROUP,
    summary: 'Read where alerts are posted to',
    response: settingsView,
    status: 200,
  },
  async ({ deps, caller }) => {
    const { chatHost } = await selectAlertSettings(deps.db.pool, caller.tenantId);
    return { data: { chat_host: chatHost } };
  },
);

const patchSettings = defineRoute(
  {
    operationId: 'changeAlertSettings',
    method: 'PATCH',
    path: SETTINGS,
    access: 'settings:write',
    group: GROUP,
    summary: 'Set where alerts are posted to',
    body: jsonBody(alertSettingsChange),
    response: settingsView,
    status: 200,
    example: { chat_webhook_url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
  },
  async ({ deps, caller, by, body }) => {
    const { chatHost } = await changeAlertSettings(deps.webhook, by, caller.tenantId, body);
    return { data: { chat_host: chatHost } };
  },
);

const testChat = defineRoute(
  {
    operationId: 'testAlertChat',
    method: 'POST',
    path: `${SETTINGS}/test-send`,
    access: 'settings:write',
    group: GROUP,
    summary: 'Post a test message to the chat',
    description: 'Passes if the chat responds with 2xx within 10 seconds.',
    response: testSendView,
    status: 200,
  },
  async ({ deps, caller }) => ({ data: toTestSendView(await testAlertChat(deps.webhook, caller.tenantId)) }),
);

/** The routes about alerts, in the order of the documentation. */
export const ALERT_ROUTES: readonly Route[] = [
  postRule,
  getRules,
  patchRule,
  removeRule,
  getAlerts,
  getSettings,
  patchSettings,
  testChat,
];

function beforeOf(cursor: string | undefined): string | null {
  return cursor === undefined ? null : (decodeCursor(cursor, [UUID_KEY])[0] ?? null);
}

function toRule({ id, domainId, createdAt, ...rule }: AlertRule): z.input<typeof ruleView> {
  const domain_id = domainId && toId('dom', domainId);
  return { id: toId('alr', id), domain_id, ...rule, created_at: createdAt.toISOString() };
}

function toAlert(alert: Alert): z.input<typeof alertView> {
  const { kind, subject, value, threshold, domainId } = alert;
  return {
    ...{
      id: toId('alt', alert.id),
      rule_id: toId('alr', alert.ruleId),
      kind,
      subject,
      value,
      threshold,
    },
    domain_id: domainId && toId('dom', domainId),
    text: alertSentence(alert),
    opened_at: alert.openedAt.toISOString(),
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
  };
}
