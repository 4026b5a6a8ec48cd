// What a campaign says before it is rendered: its own words, or those of its template under its own subject.

import type { Database } from '../db/pool.ts';
import type { TemplateContent } from '../template/template.ts';
import { selectTemplate } from '../template/template-store.ts';
import type { CampaignContent } from './campaign.ts';

/** The words; null when the template was deleted. */
export async function campaignWords(
  db: Database,
  tenantId: string,
  { subject, templateId, html, text }: CampaignContent,
): Promise<TemplateContent | null> {
  if (templateId === null) return { subject: subject ?? '', html, text, variables: [] };
  const template = await selectTemplate(db.pool, tenantId, templateId);
  if (!template) return null;
  const { variables } = template;
  return { subject: subject ?? template.subject, html: template.html, text: template.text, variables };
}
