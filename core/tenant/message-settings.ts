// What a tenant decides about its messages: whether what they say is kept after they have ended.

import { z } from 'zod';

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { selectTenant, updateKeepContent } from './tenant-store.ts';

/** The settings. */
export interface MessageSettings {
  keepContent: boolean;
}

/** The body of a change: only what is named changes. */
export const messageSettingsChange = z.strictObject({
  keep_content: z.boolean().optional().meta({
    description:
      'false: what a message says is deleted when it has ended. For messages accepted from then on',
  }),
});

/** The settings of a tenant. */
export async function readMessageSettings(db: Queryable, tenantId: string): Promise<MessageSettings> {
  const tenant = await selectTenant(db, tenantId);
  if (!tenant) throw notFound('tenant');
  return { keepContent: tenant.keepContent };
}

/** Changes them. */
export async function changeMessageSettings(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  { keepContent }: Partial<Record<keyof MessageSettings, boolean | undefined>>,
): Promise<MessageSettings> {
  return change(deps, by, async (client, record) => {
    if (keepContent !== undefined) await updateKeepContent(client, tenantId, keepContent);
    const settings = await readMessageSettings(client, tenantId);
    await record({
      tenantId,
      action: 'message.settings_changed',
      subject: toId('tnt', tenantId),
      details: { keep_content: settings.keepContent },
    });
    return settings;
  });
}
