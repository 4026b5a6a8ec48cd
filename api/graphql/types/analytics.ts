// Analytics: what the account's mail came to over a range of days, by domain, tag, campaign or mailbox provider.

import {
  bounceRate,
  complaintRate,
  COUNTS,
  waitingOf,
  type Counts,
  type RateLimit,
} from '../../../core/analytics/analytics.ts';
import { analyticsQuery, DEFAULT_DAYS, GROUPS, MAX_DAYS } from '../../../core/analytics/analytics-input.ts';
import {
  MAX_ANNOTATIONS,
  MAX_GROUPS,
  type Annotation,
  type DayCounts,
  type GroupCounts,
} from '../../../core/analytics/analytics-store.ts';
import { readAnalytics, type Analytics, type Period } from '../../../core/analytics/read-analytics.ts';
import type { Builder } from '../builder.ts';
import { checkInput } from '../check-input.ts';
import { signedIn } from '../context.ts';

const COST = 200; // four aggregates over up to a year

/** Adds `analytics` and its types. */
export function addAnalyticsTypes(builder: Builder): void {
  const counts = addCounts(builder);
  const period = addPeriod(builder, counts);
  const analytics = builder.objectRef<Analytics>('Analytics').implement({
    description:
      'What became of the messages that were accepted in a range of UTC days; up to a minute behind. A message counts on the day on which it was accepted',
    fields: (t) => ({
      period: t.expose('period', { type: period }),
      previous: t.expose('previous', { type: period, description: 'As many days, right before' }),
      groups: t.expose('groups', {
        type: [addGroup(builder, counts)],
        nullable: true,
        description: `Those with the most mail, ${MAX_GROUPS} at most; null without groupBy`,
      }),
      annotations: t.expose('annotations', {
        type: [addAnnotation(builder)],
        description: `What may explain a change, oldest first; the newest ${MAX_ANNOTATIONS}`,
      }),
      limits: t.expose('limits', { type: [addLimit(builder)] }),
    }),
  });
  const group = builder.enumType('AnalyticsGroupBy', { values: GROUPS });
  builder.queryField('analytics', (t) =>
    t.field({
      type: analytics,
      complexity: COST,
      args: {
        days: t.arg.int({ description: `The last so many UTC days, today included; ${DEFAULT_DAYS}` }),
        from: t.arg.string({ description: 'Instead of days: the first UTC day, YYYY-MM-DD' }),
        to: t.arg.string({ description: `The last UTC day; ${MAX_DAYS} days at most` }),
        domain: t.arg.string({ description: 'Name of a sending domain' }),
        tag: t.arg.string({ description: 'name=value; at most one of tag, campaignId and provider' }),
        campaignId: t.arg.id(),
        provider: t.arg.string({ description: 'Name of a mailbox provider, such as gmail' }),
        groupBy: t.arg({
          type: group,
          description: 'With a filter by tag, campaign or provider only domain',
        }),
      },
      resolve: (_root, args, context) =>
        readAnalytics(
          context.deps.db.pool,
          signedIn(context).tenantId,
          checkInput(analyticsQuery, { ...args }),
        ),
    }),
  );
}

function addPeriod(builder: Builder, counts: CountsType) {
  const day = builder.objectRef<DayCounts>('AnalyticsDay').implement({
    description: 'The messages that were accepted on one UTC day',
    fields: (t) => ({
      date: t.exposeString('date'),
      counts: t.field({ type: counts, resolve: (self) => self }),
    }),
  });
  return builder.objectRef<Period>('AnalyticsPeriod').implement({
    description: 'A range of UTC days',
    fields: (t) => ({
      from: t.exposeString('from'),
      to: t.exposeString('to', { description: 'The last day, included' }),
      totals: t.expose('totals', { type: counts }),
      days: t.expose('days', { type: [day], description: 'Oldest first, also those without mail' }),
    }),
  });
}

type CountsType = ReturnType<typeof addCounts>;

function addCounts(builder: Builder) {
  return builder.objectRef<Counts>('AnalyticsCounts').implement({
    description: 'Numbers of messages by what became of them, whenever it did; rates are fractions 0 to 1',
    fields: (t) => {
      const exposed = COUNTS.map((name) => [name, t.int({ resolve: (self) => self[name] })] as const);
      type Field = (typeof exposed)[number][1];
      return {
        ...(Object.fromEntries(exposed) as Record<(typeof COUNTS)[number], Field>),
        waiting: t.int({ description: 'Neither ended nor given up yet', resolve: waitingOf }),
        bounceRate: t.float({
          nullable: true,
          description: 'Of what was delivered or bounced; null without any',
          resolve: bounceRate,
        }),
        complaintRate: t.float({
          nullable: true,
          description: 'Of what was delivered; null without any',
          resolve: complaintRate,
        }),
      };
    },
  });
}

function addGroup(builder: Builder, counts: CountsType) {
  return builder.objectRef<GroupCounts>('AnalyticsGroup').implement({
    description: 'The mail of one domain, tag, campaign or provider',
    fields: (t) => ({
      value: t.exposeString('value', {
        description: 'What to filter by; `other` is what was beyond the most of a day',
      }),
      label: t.exposeString('label', { nullable: true, description: 'Its name; null of what was deleted' }),
      counts: t.field({ type: counts, resolve: (self) => self }),
    }),
  });
}

function addAnnotation(builder: Builder) {
  const kind = builder.enumType('AnalyticsAnnotationKind', {
    values: ['tier', 'paused', 'resumed', 'brake', 'brake_released', 'campaign'] as const,
  });
  return builder.objectRef<Annotation>('AnalyticsAnnotation').implement({
    description: 'A change of a domain’s warm-up or brake, or the launch of a campaign',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      kind: t.expose('kind', { type: kind }),
      subject: t.exposeString('subject', { description: 'Name of the domain, or of the campaign' }),
      fromTier: t.exposeInt('fromTier', { nullable: true }),
      toTier: t.exposeInt('toTier', { nullable: true }),
    }),
  });
}

function addLimit(builder: Builder) {
  const rate = builder.enumType('AnalyticsRate', { values: ['bounces', 'complaints'] as const });
  return builder.objectRef<RateLimit>('AnalyticsLimit').implement({
    description: 'A rate from which mailbox providers, or services like this one, act',
    fields: (t) => ({
      rate: t.expose('rate', { type: rate }),
      value: t.exposeFloat('value', { description: 'A fraction' }),
      label: t.exposeString('label'),
      source: t.exposeString('source', { description: 'Whose number it is' }),
    }),
  });
}
