// Making and changing what a tenant is alerted about, and where alerts are posted to.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { deriveKeys, seal, unseal } from '../base/secrets.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import type { WebhookDeps } from '../webhook/settings.ts';
import { postTest, type TestSendDeps, type TestSendResult } from '../webhook/test-send.ts';
import type { AlertRuleChange, AlertSettingsChange, NewAlertRule } from './alert-input.ts';
import { ALERT_KINDS, type AlertKind } from './alert-kinds.ts';
import {
  deleteRule,
  insertRule,
  isOwnDomain,
  MAX_ALERT_RULES,
  resolveAlerts,
  selectAlertSettings,
  selectRule,
  updateRule,
  upsertAlertSettings,
  type AlertRule,
} from './alert-store.ts';
import { chatBody } from './send-chat.ts';

/** Makes a rule. A retry of the same request gives the same one. Throws conflict where there is one of this kind for the same domain, and for the 201st. */
export async function createAlertRule(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  { domain_id: domainId, ...input }: NewAlertRule,
): Promise<AlertRule> {
  checkThreshold(input.kind, input.threshold);
  if (domainId !== null) {
    if (ALERT_KINDS[input.kind].about !== 'dom')
      throw invalidField('domain_id', 'must be left out: this kind is not about domains');
    if (!(await isOwnDomain(deps.db.pool, tenantId, domainId)))
      throw invalidField('domain_id', 'is not the id of a domain of yours');
  }
  const id = by.changeId ?? newUuid();
  try {
    return await change(deps, by, async (client, record) => {
      const made = await insertRule(client, tenantId, { id, domainId, ...input });
      if (!made)
        throw new AppError('conflict', `There are ${MAX_ALERT_RULES} alert rules, the most there may be.`);
      await record(entry('alert.rule_created', tenantId, made));
      return made;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const before = await selectRule(deps.db.pool, tenantId, id);
    if (before) return before;
    throw new AppError(
      'conflict',
      'There is a rule of this kind for the same domains already. Change that one.',
    );
  }
}

/** Changes what is named. Throws not_found. */
export async function changeAlertRule(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  id: string,
  { threshold, enabled, mail, chat }: AlertRuleChange,
): Promise<AlertRule> {
  const rule = await selectRule(deps.db.pool, tenantId, id);
  if (!rule) throw notFound('alert rule');
  if (threshold !== undefined) checkThreshold(rule.kind, threshold);
  return change(deps, by, async (client, record) => {
    const changed = await updateRule(client, tenantId, id, { threshold, enabled, mail, chat });
    if (!changed) throw notFound('alert rule');
    if (!changed.enabled) await resolveAlerts(client, tenantId, id);
    await record(entry('alert.rule_changed', tenantId, changed));
    return changed;
  });
}

/** Deletes a rule and ends its open alerts. Throws not_found. */
export async function deleteAlertRule(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const gone = await deleteRule(client, tenantId, id);
    if (!gone) throw notFound('alert rule');
    await resolveAlerts(client, tenantId, id);
    await record(entry('alert.rule_deleted', tenantId, gone));
  });
}

/** Sets the chat that alerts are posted to; null: none; left out: as it is. Returns the host of it, all that is shown. */
export async function changeAlertSettings(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  { chat_webhook_url: url }: AlertSettingsChange,
): Promise<{ chatHost: string | null }> {
  if (url === undefined) return selectAlertSettings(deps.db.pool, tenantId);
  const refused = url === null ? null : await deps.http.checkUrl(url);
  if (refused !== null) throw invalidField('chat_webhook_url', refused);
  const [key] = deriveKeys(deps.config, 'secret-box');
  const chatHost = url === null ? null : new URL(url).host;
  await change(deps, by, async (client, record) => {
    const sealedChatUrl = url === null ? null : seal(key, Buffer.from(url, 'utf8'));
    await upsertAlertSettings(client, tenantId, { sealedChatUrl, chatHost });
    const details = { chat_host: chatHost };
    await record({ tenantId, action: 'alert.chat_changed', subject: toId('tnt', tenantId), details });
  });
  return { chatHost };
}

/** Posts a test message to the chat. Throws conflict while there is none. */
export async function testAlertChat(deps: TestSendDeps, tenantId: string): Promise<TestSendResult> {
  const { sealedChatUrl } = await selectAlertSettings(deps.db.pool, tenantId);
  if (!sealedChatUrl) throw new AppError('conflict', 'Set a chat webhook URL first.');
  const url = unseal(deriveKeys(deps.config, 'secret-box'), sealedChatUrl).toString('utf8');
  const body = chatBody('This is a test: alerts will be posted here.');
  return postTest(deps.http, url, { 'content-type': 'application/json' }, body);
}

function checkThreshold(kind: AlertKind, threshold: number): void {
  const { min, max, unit } = ALERT_KINDS[kind];
  if (threshold < min || threshold > max)
    throw invalidField('threshold', `must be ${min} to ${max} ${unit} for ${kind}`);
}

function entry(action: `alert.${string}`, tenantId: string, rule: AlertRule): ChangeEntry {
  const { kind, domainId, threshold, enabled, mail, chat } = rule;
  const domain_id = domainId && toId('dom', domainId);
  const details = { kind, domain_id, threshold, enabled, mail, chat };
  return { action, tenantId, subject: toId('alr', rule.id), details };
}
