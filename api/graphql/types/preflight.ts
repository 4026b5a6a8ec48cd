// Sender rules checked before they hurt: the field `preflight` of Domain and Campaign.

import { CHECK_STATUSES, type Check, type CheckStatus } from '../../../core/preflight/check.ts';
import { LEFT_OUT, type LeftOutReason } from '../../../core/campaign/audience-store.ts';
import {
  countCampaignAudience,
  preflightCampaign,
  preflightDomain,
  type CampaignPreflight,
  type Preflight,
} from '../../../core/preflight/preflight.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import type { CampaignTypes } from './campaign.ts';
import type { DomainTypes } from './domain.ts';

const COUNT_COST = 100; // reads an audience: half a second of 1,000,000 contacts
const COST = 500; // dozens of look-ups and seconds: not for every row of a list

/** Adds the fields. */
export function addPreflight(builder: Builder, { domain, campaign }: DomainTypes & CampaignTypes): void {
  const check = addCheck(builder);
  const preflight = builder.objectRef<Preflight>('Preflight').implement({
    description: 'A domain against the rules of mailbox providers, looked up now',
    fields: (t) => ({
      ok: t.exposeBoolean('ok', { description: 'Whether no check fails' }),
      bulkAllowedPerDay: t.exposeInt('bulkAllowedPerDay', {
        description: 'Campaign messages that the domain may send today',
      }),
      checks: t.expose('checks', { type: [check] }),
    }),
  });
  builder.objectField(domain, 'preflight', (t) =>
    t.field({
      type: preflight,
      complexity: COST,
      resolve: ({ id }, _args, context) => preflightDomain(context.deps, signedIn(context).tenantId, id),
    }),
  );
  const audience = addAudience(builder);
  const ofCampaign = addCampaignPreflight(builder, check, audience);
  builder.objectField(campaign, 'preflight', (t) =>
    t.field({
      type: ofCampaign,
      complexity: COST,
      resolve: ({ id }, _args, context) => preflightCampaign(context.deps, signedIn(context).tenantId, id),
    }),
  );
  builder.objectField(campaign, 'audienceCounts', (t) =>
    t.field({
      type: audience,
      description: 'Whom it reaches as it is now, counted at once',
      complexity: COUNT_COST,
      resolve: (self, _args, context) =>
        countCampaignAudience(context.deps, signedIn(context).tenantId, self),
    }),
  );
}

function addCheck(builder: Builder) {
  const values = Object.entries(CHECK_STATUSES).map(([value, description]) => [value, { description }]);
  const status = builder.enumType('PreflightStatus', {
    values: Object.fromEntries(values) as Record<CheckStatus, { description: string }>,
  });
  return builder.objectRef<Check>('PreflightCheck').implement({
    description: 'One sender rule',
    fields: (t) => ({
      id: t.exposeString('id'),
      status: t.expose('status', { type: status }),
      found: t.exposeString('found'),
      expected: t.exposeString('expected'),
      fix: t.exposeString('fix', { nullable: true, description: 'What to do; null: nothing' }),
      docs: t.exposeString('docs', { description: 'Where the documentation says why' }),
    }),
  });
}

type LeftOut = CampaignPreflight['audience']['leftOut'][number];

function addAudience(builder: Builder) {
  const values = Object.entries(LEFT_OUT).map(([value, description]) => [value, { description }]);
  const reason = builder.enumType('LeftOutReason', {
    values: Object.fromEntries(values) as Record<LeftOutReason, { description: string }>,
  });
  const leftOut = builder.objectRef<LeftOut>('LeftOut').implement({
    description: 'Contacts of an audience who get no message',
    fields: (t) => ({ reason: t.expose('reason', { type: reason }), contacts: t.exposeInt('contacts') }),
  });
  return builder.objectRef<CampaignPreflight['audience']>('PreflightAudience').implement({
    fields: (t) => ({
      total: t.exposeInt('total'),
      sendable: t.exposeInt('sendable'),
      unsubscribed: t.exposeInt('unsubscribed'),
      suppressed: t.exposeInt('suppressed'),
      leftOut: t.expose('leftOut', {
        type: [leftOut],
        description: 'Who gets no message, by reason; with `sendable` they add up to `total`',
      }),
    }),
  });
}

function addCampaignPreflight(
  builder: Builder,
  check: ReturnType<typeof addCheck>,
  audience: ReturnType<typeof addAudience>,
) {
  const day = builder.objectRef<CampaignPreflight['plan']['days'][number]>('PreflightDay').implement({
    fields: (t) => ({
      date: t.exposeString('date'),
      tier: t.exposeInt('tier'),
      bulkCap: t.exposeInt('bulkCap', {
        description: 'Campaign messages that the domain may send on that day',
      }),
      sends: t.exposeInt('sends', { description: 'Of this campaign' }),
    }),
  });
  const plan = builder.objectRef<CampaignPreflight['plan']>('PreflightPlan').implement({
    description: 'What leaves on which UTC day, if launched now',
    fields: (t) => ({
      assumption: t.exposeString('assumption'),
      days: t.expose('days', { type: [day] }),
      left: t.exposeInt('left', { description: 'Messages that would still wait after these days' }),
    }),
  });
  return builder.objectRef<CampaignPreflight>('CampaignPreflight').implement({
    description: 'A campaign and its domain before a launch',
    fields: (t) => ({
      ok: t.exposeBoolean('ok', { description: 'Whether no check fails' }),
      bulkAllowedPerDay: t.exposeInt('bulkAllowedPerDay'),
      checks: t.expose('checks', { type: [check] }),
      audience: t.expose('audience', { type: audience }),
      plan: t.expose('plan', { type: plan }),
    }),
  });
}
