// Reputation: the trust score of each sending domain, its parts, and the days that it is made from; and what mail to each
// mailbox provider came to.

import { toId } from '../../../core/base/ids.ts';
import { readProviderFigures, type ProviderFigures } from '../../../core/mailbox-provider/figures.ts';
import { PROVIDER_WINDOW_DAYS } from '../../../core/mailbox-provider/figures-store.ts';
import type { Metrics, Reputation } from '../../../core/reputation/reputation.ts';
import { readReputation, WINDOW_DAYS } from '../../../core/reputation/reputation.ts';
import { LEAST_SCORED_SENDS } from '../../../core/reputation/score.ts';
import type { ScorePart } from '../../../core/reputation/score.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import type { DomainTypes } from './domain.ts';

const MOST_DOMAINS = 100; // shown at once; each has 30 days
const COST = 100;
const COUNTS = [
  'sent',
  'delivered',
  'bounced',
  'hardBounced',
  'complained',
  'opened',
  'clicked',
  'machineOpened',
  'machineClicked',
  'unsubscribed',
] as const satisfies (keyof Metrics)[];
const RATES = ['deliveryRate', 'bounceRate', 'complaintRate', 'openRate', 'clickRate'] as const;

/** Adds Reputation, `reputation`, `Domain.reputation` and `mailboxProviders`. */
export function addReputationTypes(builder: Builder, { domain }: DomainTypes): void {
  const reputation = addReputation(builder);
  builder.queryField('reputation', (t) =>
    t.field({
      type: [reputation],
      description: `Of the newest ${MOST_DOMAINS} domains`,
      complexity: COST,
      resolve: (_root, _args, context) =>
        readReputation(context.deps.db, signedIn(context).tenantId, { before: null, limit: MOST_DOMAINS }),
    }),
  );
  const provider = addProvider(builder);
  builder.queryField('mailboxProviders', (t) =>
    t.field({
      type: [provider],
      description: `What mail to each mailbox provider came to over ${PROVIDER_WINDOW_DAYS} UTC days, most mail first`,
      complexity: COST,
      resolve: (_root, _args, context) => readProviderFigures(context.deps, signedIn(context).tenantId),
    }),
  );
  builder.objectField(domain, 'reputation', (t) =>
    t.field({
      type: reputation,
      nullable: true,
      complexity: COST,
      resolve: async ({ tenantId, name }, _args, { deps }) =>
        (
          await deps.inTenantOf(tenantId, () =>
            readReputation(deps.db, tenantId, { before: null, limit: 1, name }),
          )
        )[0] ?? null,
    }),
  );
}

function addReputation(builder: Builder) {
  const part = builder.objectRef<ScorePart>('ScorePart').implement({
    description: 'A part of the trust score',
    fields: (t) => ({
      part: t.exposeString('part'),
      points: t.exposeFloat('points'),
      maxPoints: t.int({ resolve: (self) => self.max_points }),
      value: t.exposeFloat('value', { description: 'The evaluated rate, days, tier or share' }),
      advice: t.exposeString('advice', {
        nullable: true,
        description: 'How to raise it; null at full points',
      }),
    }),
  });
  const metrics = builder.objectRef<Metrics>('ReputationMetrics').implement({
    description: 'Counts, and rates as fractions 0 to 1',
    fields: (t) => {
      const counts = COUNTS.map((name) => [name, t.int({ resolve: (self) => self[name] })] as const);
      const rates = RATES.map((name) => [name, t.float({ resolve: (self) => self[name] })] as const);
      type Field = (typeof counts)[number][1];
      return Object.fromEntries<Field>([...counts, ...rates]);
    },
  });
  const day = builder.objectRef<Metrics & { date: string }>('ReputationDay').implement({
    fields: (t) => ({
      date: t.exposeString('date', { description: 'UTC' }),
      metrics: t.field({ type: metrics, resolve: (self) => self }),
    }),
  });
  const warmup = builder.objectRef<Reputation['warmup']>('ReputationWarmup').implement({
    fields: (t) => ({ tier: t.exposeInt('tier'), cap: t.exposeInt('cap') }),
  });
  return builder.objectRef<Reputation>('Reputation').implement({
    description: 'The reputation of one domain; docs/reputation.md has the formula',
    fields: (t) => ({
      domainId: t.id({ resolve: ({ domainId }) => toId('dom', domainId) }),
      domain: t.exposeString('domain'),
      trustScore: t.exposeInt('trustScore', { description: '0 to 100' }),
      hasEnoughMail: t.exposeBoolean('hasEnoughMail', {
        description: `Whether the score says something: ${LEAST_SCORED_SENDS} messages sent in the window or more`,
      }),
      parts: t.expose('parts', { type: [part] }),
      windowDays: t.int({ resolve: () => WINDOW_DAYS }),
      metrics: t.expose('metrics', { type: metrics }),
      warmup: t.expose('warmup', { type: warmup }),
      daily: t.expose('daily', { type: [day], description: 'Oldest first' }),
    }),
  });
}

function addProvider(builder: Builder) {
  const limits = builder.objectRef<ProviderFigures['limits']>('ProviderLimits').implement({
    description: 'Of this service for all of its customers together',
    fields: (t) => ({
      connections: t.exposeInt('connections', { description: 'Most SMTP connections at a time' }),
      perMinute: t.exposeInt('perMinute', { description: 'Most messages a minute' }),
      learnedFrom: t.exposeString('learnedFrom', {
        nullable: true,
        description:
          'The reply that lowered them last, or asked for a pause; null at the values with which we begin',
      }),
      suspendedUntil: t.expose('suspendedUntil', {
        type: 'DateTime',
        nullable: true,
        description: 'Until when the provider wants no mail from us; null while it takes mail',
      }),
    }),
  });
  const reply = builder.objectRef<ProviderFigures['topReplies'][number]>('ProviderReply').implement({
    description: 'A refusal without addresses, ids and links; `other` are those beyond the 20 of a day',
    fields: (t) => ({ reply: t.exposeString('reply'), count: t.exposeInt('count') }),
  });
  return builder.objectRef<ProviderFigures>('ProviderFigures').implement({
    description: 'Mail to one mailbox provider; domains count as the provider that their MX leads to',
    fields: (t) => ({
      provider: t.exposeString('provider', { description: 'Such as gmail' }),
      sent: t.exposeInt('sent', { description: 'Messages with their first attempt in the window' }),
      delivered: t.exposeInt('delivered'),
      deferred: t.exposeInt('deferred', { description: 'Attempts after which the provider asked to retry' }),
      bounced: t.exposeInt('bounced'),
      complained: t.exposeInt('complained'),
      limits: t.expose('limits', { type: limits }),
      topReplies: t.expose('topReplies', { type: [reply], description: 'The most frequent first' }),
    }),
  });
}
