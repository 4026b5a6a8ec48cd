// The webhook of each tenant.

import { eq, getTableColumns, sql } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { webhookSettings } from '../db/schema/webhook.ts';

type Row = Omit<typeof webhookSettings.$inferSelect, 'tenantId'>;

/** A tenant's webhook as it is shown. */
export type WebhookSettings = Omit<Row, 'sealedSecret'>;

/** A change; undefined leaves a field as it is. `sealedSecret` is used when there is no row yet, or with `rotate`. */
export interface SettingsChange {
  webhookUrl: string | undefined;
  enabled: boolean | undefined;
  sealedSecret: Buffer;
  rotate: boolean;
}

const { tenantId: _, sealedSecret, ...SHOWN } = getTableColumns(webhookSettings);

const settingsOfTenant = prepared((db) =>
  db
    .select({ ...SHOWN, sealedSecret })
    .from(webhookSettings)
    .where(eq(webhookSettings.tenantId, sql.placeholder('tenantId')))
    .prepare('webhook-settings'),
);

/** A tenant's settings with the sealed secret, or null. */
export async function selectSettings(db: Queryable, tenantId: string): Promise<Row | null> {
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
    .insert(webhookSettings)
    .values({ tenantId, webhookUrl, enabled: enabled ?? true, sealedSecret: sealed })
    .onConflictDoUpdate({
      target: webhookSettings.tenantId,
      set: {
        tenantId, // as it is: there must be something to set for the row to come back
        webhookUrl,
        enabled,
        ...(rotate ? { sealedSecret: sealed, rotatedAt: sql`now()` } : {}),
      },
    })
    .returning({ ...SHOWN, created: sql<boolean>`xmax = 0` });
  return row!;
}
