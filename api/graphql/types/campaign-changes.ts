// What is done with a campaign: the same verbs as REST.

import { campaignChange, launchInput, newCampaign } from '../../../core/campaign/campaign-input.ts';
import type { Campaign } from '../../../core/campaign/campaign.ts';
import type { Actor } from '../../../core/audit/actor.ts';
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
} from '../../../core/campaign/campaigns.ts';
import {
  cancelCampaign,
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  retryRecipients,
  undoLaunch,
} from '../../../core/campaign/move-campaign.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Builder } from '../builder.ts';
import { asCaller } from '../context.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { CampaignTypes } from './campaign.ts';
import type { DeletePayload } from './deleted.ts';

const NULLABLE = ['replyTo', 'subject', 'templateId', 'html', 'text', 'trackOpens', 'trackClicks'];

const VERSION = 'Refused when the campaign has another version by now: somebody else changed it';
const UNFINISHED = 'True: saves a draft whose content is missing or does not parse yet; its launch checks it';

/** Adds the mutations of campaigns. */
export function addCampaignChanges(
  builder: Builder,
  { campaign }: CampaignTypes,
  deleted: DeletePayload,
): void {
  const payload = addPayload(builder, campaign);
  addContent(builder, payload);
  addVerbs(builder, payload);
  builder.mutationField('deleteCampaign', (t) =>
    t.field({
      type: deleted,
      description: 'Only for a draft or a scheduled campaign',
      args: { input: t.arg({ type: byId(builder, 'DeleteCampaignInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteCampaign(context.deps, ...asCaller(context), idOf(input));
        return { id: input.id };
      },
    }),
  );
}

function addPayload(builder: Builder, campaign: CampaignTypes['campaign']) {
  return builder.objectRef<{ campaign: Campaign }>('CampaignPayload').implement({
    fields: (t) => ({ campaign: t.expose('campaign', { type: campaign }) }),
  });
}

type Payload = ReturnType<typeof addPayload>;

function addContent(builder: Builder, payload: Payload): void {
  const audience = builder.inputType('AudienceInput', {
    description: 'Give exactly one',
    fields: (t) => ({ listId: t.id(), tag: t.string(), all: t.boolean() }),
  });
  const createInput = builder.inputType('CreateCampaignInput', {
    description: 'Subject, html and text are Liquid; fields and attributes of the contact are the variables',
    fields: (t) => ({
      name: t.string({ required: true }),
      from: t.string({ required: true }),
      replyTo: t.string(),
      subject: t.string(),
      templateId: t.id(),
      html: t.string(),
      text: t.string(),
      audience: t.field({ type: audience, required: true }),
      trackOpens: t.boolean(),
      trackClicks: t.boolean(),
      unfinished: t.boolean({ description: UNFINISHED }),
    }),
  });
  builder.mutationField('createCampaign', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const checked = checkInput(newCampaign, withAudience(input));
        return { campaign: await createCampaign(context.deps, ...asCaller(context), checked) };
      },
    }),
  );
  const updateInput = builder.inputType('UpdateCampaignInput', {
    description: 'Only for a draft or a scheduled campaign. Fields left out do not change',
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      from: t.string(),
      replyTo: t.string(),
      subject: t.string(),
      templateId: t.id(),
      html: t.string(),
      text: t.string(),
      audience: t.field({ type: audience }),
      trackOpens: t.boolean(),
      trackClicks: t.boolean(),
      version: t.int({ description: VERSION }),
      unfinished: t.boolean({ description: UNFINISHED }),
    }),
  });
  builder.mutationField('updateCampaign', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: updateInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const checked = checkInput(campaignChange, withAudience(fields), NULLABLE);
        return { campaign: await changeCampaign(context.deps, ...asCaller(context), idOf({ id }), checked) };
      },
    }),
  );
}

function addVerbs(builder: Builder, payload: Payload): void {
  const launch = builder.inputType('LaunchCampaignInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      scheduledAt: t.string({ description: 'RFC 3339; default: now' }),
      delaySeconds: t.int({
        description: 'Starts so many seconds from now, 60 at most; `undoLaunch` takes it back',
      }),
      version: t.int({ description: VERSION }),
    }),
  });
  builder.mutationField('launchCampaign', (t) =>
    t.field({
      type: payload,
      description:
        'Every contact of the audience who is still subscribed when the campaign reaches them gets one message',
      args: { input: t.arg({ type: launch, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { id, ...how } = input;
        const checked = checkInput(launchInput, how);
        return {
          campaign: await launchCampaign(context.deps, ...asCaller(context), idOf({ id }), checked),
        };
      },
    }),
  );
  const verb = (
    name:
      | 'undoLaunch'
      | 'duplicateCampaign'
      | 'pauseCampaign'
      | 'resumeCampaign'
      | 'cancelCampaign'
      | 'retryFailedRecipients',
    description: string,
    run: (deps: ApiDeps, by: Actor, tenantId: string, id: string) => Promise<Campaign>,
  ) =>
    builder.mutationField(name, (t) =>
      t.field({
        type: payload,
        description,
        args: {
          input: t.arg({
            type: byId(builder, `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`),
            required: true,
          }),
        },
        resolve: async (_root, { input }, context) => {
          return { campaign: await run(context.deps, ...asCaller(context), idOf(input)) };
        },
      }),
    );
  verb('undoLaunch', 'Makes a draft of a scheduled campaign again: nothing of it was sent', undoLaunch);
  verb('duplicateCampaign', 'A draft with the same content, sender and audience', duplicateCampaign);
  verb('pauseCampaign', 'No more messages are made, and those that wait are held', pauseCampaign);
  verb('resumeCampaign', 'Continues where it stopped', resumeCampaign);
  verb('cancelCampaign', 'For good: messages that wait are cancelled', cancelCampaign);
  verb('retryFailedRecipients', 'In a campaign that is being sent or was sent', async (...verb) => {
    return (await retryRecipients(...verb)).campaign;
  });
}

function byId(builder: Builder, name: string) {
  return builder.inputType(name, { fields: (t) => ({ id: t.id({ required: true }) }) });
}

// REST's audience is one of three objects.
function withAudience(fields: Record<string, unknown>): Record<string, unknown> {
  const audience = fields['audience'] as Record<string, unknown> | null | undefined;
  if (!audience) return fields;
  const { listId, tag, all } = audience;
  const chosen = [
    ...(typeof listId === 'string' ? [{ list_id: listId }] : []),
    ...(typeof tag === 'string' ? [{ tag }] : []),
    ...(all === true ? [{ all: true }] : []),
  ];
  return { ...fields, audience: Object.assign({}, ...chosen) as unknown };
}

function idOf({ id }: { id: string }): string {
  return requireId('cmp', id, 'campaign');
}
