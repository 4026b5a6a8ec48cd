// /campaigns/{id}/report: what came of a campaign.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { getCampaign } from '../../../core/campaign/campaigns.ts';
import { readReport, recipientsCsv } from '../../../core/campaign/report.ts';
import { RECIPIENT_FILTERS } from '../../../core/campaign/report-store.ts';
import { FileAnswer } from '../file-answer.ts';
import { defineRoute } from '../route.ts';
import { GROUP } from './campaigns.ts';

const params = z.object({ id: idInput('cmp') });

const view = z
  .object({
    by: z.enum(['hour', 'day']).meta({ description: 'how long a point is' }),
    points: z
      .array(
        z.object({
          at: z.iso.datetime(),
          opens: z.int(),
          clicks: z.int(),
          machine_opens: z.int(),
          machine_clicks: z.int(),
        }),
      )
      .meta({
        description: 'messages first opened or clicked then, by people and by machines; oldest first',
      }),
    links: z.array(
      z.object({
        url: z.string(),
        recipients: z.int().meta({ description: 'people who followed it' }),
        clicks: z.int().meta({ description: 'all times that people followed it' }),
        machine_clicks: z.int(),
      }),
    ),
  })
  .meta({ id: 'CampaignReport', description: 'Opens and clicks over time, and links by recipients' });

/** GET /campaigns/{id}/report */
export const getCampaignReport = defineRoute(
  {
    operationId: 'getCampaignReport',
    method: 'GET',
    path: '/campaigns/{id}/report',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'Read the report of a campaign',
    description: 'For as long as its messages are kept. Machines are told apart from people.',
    params,
    response: view,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => {
    const { by, points, links } = await readReport(deps, caller.tenantId, id);
    return {
      data: {
        by,
        points: points.map((point) => ({
          at: point.at.toISOString(),
          opens: point.opens,
          clicks: point.clicks,
          machine_opens: point.machineOpens,
          machine_clicks: point.machineClicks,
        })),
        links: links.map(({ machineClicks, ...link }) => ({ ...link, machine_clicks: machineClicks })),
      },
    };
  },
);

/** GET /campaigns/{id}/recipients/csv */
export const downloadCampaignRecipients = defineRoute(
  {
    operationId: 'downloadCampaignRecipients',
    method: 'GET',
    path: '/campaigns/{id}/recipients/csv',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'Download the recipients as CSV',
    description:
      'One line for each recipient, with what became of the message and what they did first. Where a spreadsheet would ' +
      'see the begin of a formula, an apostrophe stands before it.',
    params,
    query: z.strictObject({
      filter: z.enum(RECIPIENT_FILTERS).optional().meta({
        description: 'only these; `machine_opened`: opened by machines and by no person',
      }),
    }),
    response: z.instanceof(FileAnswer).meta({ type: 'string', format: 'binary' }),
    file: 'text/csv',
    status: 200,
  },
  async ({ deps, by, caller: { tenantId }, params: { id }, query }) => {
    const { name } = await getCampaign(deps, tenantId, id);
    const subject = toId('cmp', id);
    const action = 'campaign.recipients_downloaded';
    await deps.noteRead(deps.db.pool, by, { tenantId, action, subject, details: { name } });
    return {
      data: new FileAnswer({
        contentType: 'text/csv',
        filename: `${name} ${subject}.csv`,
        length: null,
        pieces: recipientsCsv(deps, tenantId, id, query.filter ?? null),
      }),
    };
  },
);
