// Alerts: rules, what was found, and where it is posted to.

import {
  changeAlertRule,
  changeAlertSettings,
  createAlertRule,
  deleteAlertRule,
  testAlertChat,
} from '../../../core/alert/alert-rules.ts';
import { alertRuleChange, alertSettingsChange, newAlertRule } from '../../../core/alert/alert-input.ts';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  alertSentence,
  type AlertKind,
} from '../../../core/alert/alert-kinds.ts';
import {
  listAlertRules,
  listAlerts,
  selectAlertSettings,
  type Alert,
  type AlertRule,
} from '../../../core/alert/alert-store.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';
import type { InboundWebhookTypes } from './inbound-webhook.ts';

/** Adds Alert, AlertRule, AlertSettings and what is done with them. */
export function addAlertTypes(
  builder: Builder,
  { testSend }: InboundWebhookTypes,
  deleted: DeletePayload,
): void {
  const kind = addKind(builder);
  const rule = addRule(builder, kind);
  addAlert(builder, kind);
  addRuleChanges(builder, rule, kind, deleted);
  const settings = builder.objectRef<{ chatHost: string | null }>('AlertSettings').implement({
    description: 'Where alerts are posted to',
    fields: (t) => ({
      chatHost: t.exposeString('chatHost', {
        nullable: true,
        description: 'The host of the chat webhook; its URL is not shown',
      }),
    }),
  });
  builder.queryField('alertSettings', (t) =>
    t.field({
      type: settings,
      resolve: (_root, _args, context) =>
        selectAlertSettings(context.deps.db.pool, signedIn(context).tenantId),
    }),
  );
  const input = builder.inputType('UpdateAlertSettingsInput', {
    fields: (t) => ({
      chatWebhookUrl: t.string({
        description: 'https, at a public address; takes `{"text": "…"}` as Slack does; null removes it',
      }),
    }),
  });
  builder.mutationField('updateAlertSettings', (t) =>
    t.field({
      type: settings,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: (_root, { input: fields }, context) =>
        changeAlertSettings(
          context.deps.webhook,
          ...asCaller(context),
          checkInput(alertSettingsChange, fields, ['chatWebhookUrl']),
        ),
    }),
  );
  builder.mutationField('testAlertChat', (t) =>
    t.field({
      type: testSend,
      description: 'Posts a test message to the chat',
      resolve: (_root, _args, context) => testAlertChat(context.deps.webhook, signedIn(context).tenantId),
    }),
  );
}

function addKind(builder: Builder) {
  const kind = builder.enumType('AlertKind', {
    description: 'What is watched; alertKinds has the unit of each',
    values: ALERT_KIND_NAMES,
  });
  const described = builder.objectRef<AlertKind>('AlertKindInfo').implement({
    description: 'What a kind of alert measures',
    fields: (t) => ({
      kind: t.field({ type: kind, resolve: (name) => name }),
      description: t.string({ resolve: (name) => ALERT_KINDS[name].description }),
      unit: t.string({
        description: 'percent, minutes, days or requests',
        resolve: (name) => ALERT_KINDS[name].unit,
      }),
      minimum: t.float({ resolve: (name) => ALERT_KINDS[name].min }),
      maximum: t.float({ resolve: (name) => ALERT_KINDS[name].max }),
      suggested: t.float({
        description: 'A threshold that suits most',
        resolve: (name) => ALERT_KINDS[name].suggested,
      }),
      perDomain: t.boolean({
        description: 'Whether a rule may be for one domain',
        resolve: (name) => ALERT_KINDS[name].about === 'dom',
      }),
    }),
  });
  builder.queryField('alertKinds', (t) => t.field({ type: [described], resolve: () => ALERT_KIND_NAMES }));
  return kind;
}

type Kind = ReturnType<typeof addKind>;

function addRule(builder: Builder, kind: Kind) {
  const rule = builder.objectRef<AlertRule>('AlertRule').implement({
    description: 'What is watched, from which value on, and who is told',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('alr', id) }),
      kind: t.expose('kind', { type: kind }),
      domainId: t.id({
        nullable: true,
        description: 'Null: every domain that has no rule of this kind for itself',
        resolve: ({ domainId }) => domainId && toId('dom', domainId),
      }),
      threshold: t.exposeFloat('threshold', { description: 'In the unit of the kind' }),
      enabled: t.exposeBoolean('enabled'),
      mail: t.exposeBoolean('mail', { description: 'The owners get mail' }),
      chat: t.exposeBoolean('chat', { description: 'The chat is told' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('alertRules', (t) =>
    t.connection({
      type: rule,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) => listAlertRules(context.deps.db.pool, signedIn(context).tenantId, page)),
    }),
  );
  return rule;
}

type Rule = ReturnType<typeof addRule>;

function addAlert(builder: Builder, kind: Kind): void {
  const alert = builder.objectRef<Alert>('Alert').implement({
    description: 'Something that reached its threshold',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('alt', id) }),
      ruleId: t.id({ resolve: ({ ruleId }) => toId('alr', ruleId) }),
      kind: t.expose('kind', { type: kind }),
      subject: t.exposeString('subject', {
        description: 'Name of the domain, URL of the webhook, name of the key or of the account',
      }),
      domainId: t.id({ nullable: true, resolve: ({ domainId }) => domainId && toId('dom', domainId) }),
      value: t.exposeFloat('value', { description: 'As it opened, in the unit of the kind' }),
      threshold: t.exposeFloat('threshold'),
      text: t.string({ description: 'The same as one sentence', resolve: alertSentence }),
      nextStep: t.string({ description: 'What to do', resolve: (one) => ALERT_KINDS[one.kind].nextStep }),
      openedAt: t.expose('openedAt', { type: 'DateTime' }),
      resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true }),
    }),
  });
  builder.queryField('alerts', (t) =>
    t.connection({
      type: alert,
      description: 'Newest first',
      args: { open: t.arg.boolean({ description: 'true: only open ones; false: only resolved ones' }) },
      complexity: (args) => connectionCost(args),
      resolve: (_root, { open, ...args }, context) =>
        resolveOlder(args, (page) =>
          listAlerts(context.deps.db.pool, signedIn(context).tenantId, { ...page, open: open ?? undefined }),
        ),
    }),
  );
}

function addRuleChanges(builder: Builder, rule: Rule, kind: Kind, deleted: DeletePayload): void {
  const payload = builder.objectRef<{ alertRule: AlertRule }>('AlertRulePayload').implement({
    fields: (t) => ({ alertRule: t.expose('alertRule', { type: rule }) }),
  });
  const createInput = builder.inputType('CreateAlertRuleInput', {
    fields: (t) => ({
      kind: t.field({ type: kind, required: true }),
      domainId: t.id({ description: 'Null: every domain that has no rule of this kind for itself' }),
      threshold: t.float({ required: true }),
      enabled: t.boolean(),
      mail: t.boolean(),
      chat: t.boolean(),
    }),
  });
  builder.mutationField('createAlertRule', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => ({
        alertRule: await createAlertRule(
          context.deps.webhook,
          ...asCaller(context),
          checkInput(newAlertRule, input),
        ),
      }),
    }),
  );
  const updateInput = builder.inputType('UpdateAlertRuleInput', {
    description: 'What is omitted stays unchanged',
    fields: (t) => ({
      id: t.id({ required: true }),
      threshold: t.float(),
      enabled: t.boolean({ description: 'false also ends its open alerts' }),
      mail: t.boolean(),
      chat: t.boolean(),
    }),
  });
  builder.mutationField('updateAlertRule', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: updateInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const change = checkInput(alertRuleChange, fields);
        const uuid = requireId('alr', id, 'alert rule');
        return {
          alertRule: await changeAlertRule(context.deps.webhook, ...asCaller(context), uuid, change),
        };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteAlertRuleInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteAlertRule', (t) =>
    t.field({
      type: deleted,
      description: 'Its open alerts end with it',
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input: { id } }, context) => {
        const uuid = requireId('alr', id, 'alert rule');
        await deleteAlertRule(context.deps.webhook, ...asCaller(context), uuid);
        return { id };
      },
    }),
  );
}
