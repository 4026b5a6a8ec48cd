// A campaign as one contact would get it, and as a test to oneself.

import { toId } from '../../../core/base/ids.ts';
import { testInput } from '../../../core/campaign/campaign-input.ts';
import {
  listSampleEmails,
  previewCampaign,
  sendTest,
  type CampaignPreview,
} from '../../../core/preflight/campaign-preview.ts';
import type { Builder } from '../builder.ts';
import { checkInput, requireId } from '../check-input.ts';
import { asCaller, signedIn } from '../context.ts';
import type { CampaignTypes } from './campaign.ts';

const RENDER_COST = 100; // a template is rendered: not for every row of a list
const SAMPLE = 20; // contacts to choose from

/** Adds the fields and the mutation. */
export function addCampaignPreview(builder: Builder, { campaign }: CampaignTypes): void {
  const preview = builder.objectRef<CampaignPreview>('CampaignPreview').implement({
    description: 'The message of one contact',
    fields: (t) => ({
      email: t.exposeString('email', { nullable: true, description: 'Null: the audience has nobody' }),
      subject: t.exposeString('subject'),
      html: t.exposeString('html'),
      text: t.exposeString('text'),
      problem: t.exposeString('problem', { nullable: true, description: 'Why there is nothing to see' }),
    }),
  });
  builder.objectField(campaign, 'preview', (t) =>
    t.field({
      type: preview,
      description: 'As a contact would get it, by default the first of the audience',
      args: { contactEmail: t.arg.string() },
      complexity: RENDER_COST,
      resolve: ({ id }, { contactEmail }, context) =>
        previewCampaign(context.deps, signedIn(context).tenantId, id, contactEmail ?? null),
    }),
  );
  builder.objectField(campaign, 'sampleEmails', (t) =>
    t.stringList({
      description: 'Addresses of the first contacts that would get it',
      complexity: SAMPLE,
      resolve: (self, _args, context) =>
        listSampleEmails(context.deps, signedIn(context).tenantId, self, SAMPLE),
    }),
  );
  const input = builder.inputType('SendCampaignTestInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      to: t.string({ required: true, description: 'Who gets the test' }),
      contactEmail: t.string({
        description: 'The contact to render it for; default: the first of the audience',
      }),
    }),
  });
  const payload = builder.objectRef<{ id: string; status: string }>('SendCampaignTestPayload').implement({
    fields: (t) => ({
      messageId: t.id({ resolve: ({ id }) => toId('msg', id) }),
      status: t.exposeString('status', { description: 'queued, deferred or dropped' }),
    }),
  });
  builder.mutationField('sendCampaignTest', (t) =>
    t.field({
      type: payload,
      description: 'One message, with [Test] before its subject. Nothing of it is counted in the campaign',
      args: { input: t.arg({ type: input, required: true }) },
      complexity: RENDER_COST,
      resolve: (_root, { input: { id, ...fields } }, context) =>
        sendTest(
          context.deps,
          ...asCaller(context),
          requireId('cmp', id, 'campaign'),
          checkInput(testInput, fields),
        ),
    }),
  );
}
