// Moves a campaign to another state for a request, with a row of the audit log: who did it, and that this request did.

import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { wasDone } from '../audit/effect-store.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { moveCampaign, type CampaignMove } from './campaign-store.ts';

/** The request behind a move. */
export interface CampaignEffect {
  /** UUID; a retry of a request whose process died has the same one. */
  effectId: string;
  /** `key_…` or `usr_…`. */
  actor: string;
}

/** What is done with a campaign, as the audit log says it. */
export type CampaignAct = 'launched' | 'paused' | 'resumed' | 'cancelled';

/** Moves the campaign, if its state allows it. The same effect again is true and changes nothing. */
export async function moveOnce(
  db: Database,
  campaign: { tenantId: string; id: string },
  act: CampaignAct,
  move: CampaignMove,
  effect: CampaignEffect | undefined,
): Promise<boolean> {
  const { tenantId, id } = campaign;
  if (!effect) return moveCampaign(db.pool, tenantId, id, move);
  if (await hasActed(db, tenantId, act, effect)) return true;
  return inTransaction(db.pool, async (client) => {
    if (!(await moveCampaign(client, tenantId, id, move))) return false;
    const { effectId, actor } = effect;
    const entry = { id: effectId, tenantId, actor, action: `campaign.${act}`, subject: toId('cmp', id) };
    await insertAudit(client, { ...entry, data: {} });
    return true;
  });
}

/** Whether the request has had its effect already. */
export async function hasActed(
  db: Database,
  tenantId: string,
  act: CampaignAct,
  effect: CampaignEffect | undefined,
): Promise<boolean> {
  return effect !== undefined && wasDone(db.pool, tenantId, effect.effectId, `campaign.${act}`);
}
