// A campaign's own words as a template that no list shows, so that they are stored once, not once per message, and
// rendered where all templates are. It counts as deleted, but names its campaign: the senders take it all the same.
// SQL by hand: fenced by the claim of the campaign.

import type pg from 'pg';

import type { TemplateContent } from '../template/template.ts';
import { insertVersion } from '../template/template-store.ts';
import type { CampaignClaim } from './campaign.ts';

/** Keeps the words. False when the claim was lost, or they are kept already: roll back. */
export async function insertContent(
  client: pg.ClientBase,
  claim: CampaignClaim,
  templateId: string,
  content: TemplateContent,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update campaigns set content_template_id = $4
     where id = $1 and tenant_id = $2 and claim_version = $3 and content_template_id is null`,
    [claim.id, claim.tenantId, claim.claimVersion, templateId],
  );
  if (rowCount !== 1) return false;
  await client.query(
    `insert into templates (id, tenant_id, name, version, deleted_at, campaign_id)
     values ($1, $2, $3, 1, now(), $4)`,
    [templateId, claim.tenantId, `campaign ${claim.id}`, claim.id],
  );
  await insertVersion(client, { templateId, tenantId: claim.tenantId, version: 1 }, content);
  return true;
}
