// Where a tenant's inbound mail goes: the one row of kind inbound among its endpoints.

import { and, eq, sql } from 'drizzle-orm';

import { newUuid } from '../base/ids.ts';
import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { webhookEndpoints } from '../db/schema/webhook.ts';

/** A tenant's inbound webhook as it is shown. */
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

const SHOWN = {
  webhookUrl: webhookEndpoints.url,
  enabled: webhookEndpoints.enabled,
  createdAt: webhookEndpoints.createdAt,
  rotatedAt: webhookEndpoints.rotatedAt,
};

const settingsOfTenant = prepared((db) =>
  db
    .select({ ...SHOWN, sealedSecret: webhookEndpoints.sealedSecret })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.tenantId, sql.placeholder('tenantId')),
        sql`${webhookEndpoints.kind} = 'inbound'`, // as the index says it
      ),
    )
    .prepare('webhook-settings'),
);

/** A tenant's settings with the sealed secret, or null. */
export async function selectSettings(
  db: Queryable,
  tenantId: string,
): Promise<(WebhookSettings & { sealedSecret: Buffer }) | null> {
  const [row] = await settingsOfTenant(db).execute({ tenantId });
  return row ?? null;
}

/** Makes or changes a tenant's settings. `created` says that there were none. */
export async function upsertSettings(
  db: Queryable,
  tenantId: string,
  { webhookUrl, enabled, sealedSecret: sealed, rotate }: SettingsChange,
): Promise<WebhookSettings & { created: boolean }> {
  const [row] = await orm(db)
    .insert(webhookEndpoints)
    .values({
      id: newUuid(),
      tenantId,
      kind: 'inbound',
      url: webhookUrl,
      enabled: enabled ?? true,
      sealedSecret: sealed,
    })
    .onConflictDoUpdate({
      target: webhookEndpoints.tenantId,
      targetWhere: sql`kind = 'inbound'`,
      set: {
        tenantId, // as it is: there must be something to set for the row to come back
        url: webhookUrl,
        enabled,
        ...(rotate ? { sealedSecret: sealed, rotatedAt: sql`excluded.created_at` } : {}),
      },
    })
    .returning({ ...SHOWN, created: sql<boolean>`xmax = 0` });
  return row!;
}
