// Rules of alerts and where they are posted to, as callers write them.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { webhookUrl } from '../webhook/webhook-input.ts';
import { ALERT_KIND_NAMES } from './alert-kinds.ts';

/** The name of a kind, in bodies and in answers. */
export const alertKind = z.enum(ALERT_KIND_NAMES).meta({ id: 'AlertKind' });

const fields = {
  threshold: z.number().min(0).max(1_000_000).meta({
    description: 'in the unit of the kind (docs/alerts.md)',
  }),
  enabled: z.boolean(),
  mail: z.boolean().meta({ description: 'the owners get mail' }),
  chat: z.boolean().meta({ description: 'the chat of the alert settings is told' }),
};

/** The body of a create. */
export const newAlertRule = z.strictObject({
  kind: alertKind,
  domain_id: idInput('dom', 'is not the id of a domain of yours').nullable().default(null).meta({
    description: 'only for kinds about domains; null: every domain that has no rule of this kind for itself',
  }),
  threshold: fields.threshold,
  enabled: fields.enabled.default(true),
  mail: fields.mail.default(true),
  chat: fields.chat.default(true),
});

/** The body of a change: what is left out stays. */
export const alertRuleChange = z.strictObject({
  threshold: fields.threshold.optional(),
  enabled: fields.enabled.optional().meta({ description: 'false also ends its open alerts' }),
  mail: fields.mail.optional(),
  chat: fields.chat.optional(),
});

/** The body of a change of the settings. */
export const alertSettingsChange = z.strictObject({
  chat_webhook_url: webhookUrl.nullable().optional().meta({
    description:
      'https, at a public address; takes `{"text": "…"}` as Slack does; null removes it; never shown again',
  }),
});

/** A checked create. */
export type NewAlertRule = z.output<typeof newAlertRule>;

/** A checked change. */
export type AlertRuleChange = z.output<typeof alertRuleChange>;

/** A checked change of the settings. */
export type AlertSettingsChange = z.output<typeof alertSettingsChange>;
