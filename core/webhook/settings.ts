// Setting up the webhook: where inbound mail is posted to, and the secret that signs it.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { invalidField } from '../base/errors.ts';
import { deriveKeys, seal, unseal } from '../base/secrets.ts';
import type { Config } from '../base/config.ts';
import { toId } from '../base/ids.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import type { Database } from '../db/pool.ts';
import { selectSettings, upsertSettings, type WebhookSettings } from './settings-store.ts';
import { newWebhookSecret } from './sign.ts';

export type { WebhookSettings };

/** What setting up needs. */
export interface WebhookDeps extends ChangeDeps {
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  http: Pick<GuardedHttp, 'checkUrl'>;
}

/** A change as a customer asks for it. */
export interface WebhookPatch {
  webhookUrl?: string | undefined;
  enabled?: boolean | undefined;
  rotate: boolean;
}

/** A tenant's settings, or null while there are none. */
export async function readWebhook(db: Database, tenantId: string): Promise<WebhookSettings | null> {
  const found = await selectSettings(db.pool, tenantId);
  if (!found) return null;
  const { sealedSecret: _, ...settings } = found;
  return settings;
}

/** Makes or changes the settings. `secret` is set when it is new: the one time that it can be seen. */
export async function changeWebhook(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  patch: WebhookPatch,
): Promise<{ settings: WebhookSettings; secret: string | null }> {
  if (patch.webhookUrl !== undefined) {
    const refused = await deps.http.checkUrl(patch.webhookUrl);
    if (refused !== null) throw invalidField('webhook_url', refused);
  }
  const secret = newWebhookSecret();
  const [key] = deriveKeys(deps.config, 'secret-box');
  return change(deps, by, async (client, record) => {
    const before = await selectSettings(client, tenantId);
    const { created, ...settings } = await upsertSettings(client, tenantId, {
      webhookUrl: patch.webhookUrl,
      enabled: patch.enabled,
      sealedSecret: seal(key, Buffer.from(secret, 'utf8')),
      rotate: patch.rotate,
    });
    if (settings.enabled && settings.webhookUrl === null) {
      throw invalidField('webhook_url', 'is required to turn the webhook on');
    }
    await record({
      tenantId,
      action: patch.rotate ? 'webhook.rotated' : 'webhook.changed',
      subject: toId('tnt', tenantId),
      details: { webhook_url: settings.webhookUrl, enabled: settings.enabled },
      ...(settings.webhookUrl !== (before?.webhookUrl ?? null) && {
        mailedAs: 'webhook.inbound_url_changed',
      }),
    });
    return { settings, secret: created || patch.rotate ? secret : null };
  });
}

/** Where a tenant's deliveries go and what signs them, or null when no URL is set. */
export async function readEndpoint(
  deps: Pick<WebhookDeps, 'db' | 'config'>,
  tenantId: string,
): Promise<{ url: string; secret: string } | null> {
  const found = await selectSettings(deps.db.pool, tenantId);
  if (!found || found.webhookUrl === null) return null;
  return { url: found.webhookUrl, secret: openSecret(deps.config, found.sealedSecret) };
}

/** The secret as the customer was shown it. */
export function openSecret(config: WebhookDeps['config'], sealed: Buffer): string {
  return unseal(deriveKeys(config, 'secret-box'), sealed).toString('utf8');
}
