// The webhook of each tenant.

import type pg from 'pg';

/** A tenant's webhook as it is shown. */
export interface WebhookSettings {
  webhookUrl: string | null;
  enabled: boolean;
  createdAt: Date;
  rotatedAt: Date | null;
}

/** A change; undefined leaves a field as it is. `sealedSecret` is used when there is no row yet, or with `rotate`. */
export interface SettingsChange {
  webhookUrl: string | undefined;
  enabled: boolean | undefined;
  sealedSecret: Buffer;
  rotate: boolean;
}

const COLUMNS = 'webhook_url as "webhookUrl", enabled, created_at as "createdAt", rotated_at as "rotatedAt"';

/** A tenant's settings with the sealed secret, or null. */
export async function selectSettings(
  db: pg.Pool | pg.PoolClient,
  tenantId: string,
): Promise<(WebhookSettings & { sealedSecret: Buffer }) | null> {
  const { rows } = await (db as pg.Pool).query<WebhookSettings & { sealedSecret: Buffer }>({
    name: 'webhook-settings',
    text: `select ${COLUMNS}, sealed_secret as "sealedSecret" from webhook_settings where tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0] ?? null;
}

/** Makes or changes a tenant's settings. `created` says that there were none. */
export async function upsertSettings(
  client: pg.PoolClient,
  tenantId: string,
  change: SettingsChange,
): Promise<WebhookSettings & { created: boolean }> {
  const { rows } = await client.query<WebhookSettings & { created: boolean }>({
    name: 'webhook-settings-upsert',
    text: `insert into webhook_settings as w (tenant_id, webhook_url, enabled, sealed_secret)
           values ($1, $2, coalesce($3, true), $4)
           on conflict (tenant_id) do update set
             webhook_url = coalesce($2, w.webhook_url), enabled = coalesce($3, w.enabled),
             sealed_secret = case when $5 then $4 else w.sealed_secret end,
             rotated_at = case when $5 then now() else w.rotated_at end
           returning ${COLUMNS}, xmax = 0 as created`,
    values: [tenantId, change.webhookUrl ?? null, change.enabled ?? null, change.sealedSecret, change.rotate],
  });
  return rows[0]!;
}
