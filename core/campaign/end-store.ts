// The end of a campaign: cancelled, or nothing of it waits any more.
// SQL by hand: fenced by the claim of the campaign.

import type { CampaignClaim } from './campaign.ts';
import type { Queryable } from '../db/pool.ts';

/** Deletes recipients of a cancelled campaign that have no message: none will be made. Returns how many; at most a few batches. */
export async function forgetUnsubmitted(db: Queryable, claim: CampaignClaim): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-forget-unsubmitted',
    text: `delete from campaign_recipients r using campaigns c
           where c.id = $1 and c.tenant_id = $2 and c.claim_version = $3 and c.task = 'cancel'
             and r.campaign_id = $1 and r.tenant_id = $2 and r.error is null
             and (c.confirmed_to is null or r.contact_id > c.confirmed_to)
             and not exists (select from messages m where m.id = r.message_id and m.tenant_id = $2)`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
  return rowCount ?? 0;
}

/** Ends the campaign when no message of it waits for its first attempt. False while one does. */
export async function settle(db: Queryable, claim: CampaignClaim): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-settle',
    text: `update campaigns
           set state = 'sent', task = null, due_at = null, completed_at = now(), claimed_until = null,
               updated_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3 and state = 'sending' and task = 'settle'
             and not exists (
               select from messages m
               where m.campaign_id = $1 and m.tenant_id = $2 and m.state in ('queued', 'sending', 'deferred')
                 and m.attempts = 0)`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
  return rowCount === 1;
}
