// GET /analytics: what became of mail over a range of days, by domain, tag, campaign or mailbox provider.

import { z } from 'zod';

import { bounceRate, complaintRate, waitingOf, type Counts } from '../../../core/analytics/analytics.ts';
import { analyticsQuery } from '../../../core/analytics/analytics-input.ts';
import { MAX_ANNOTATIONS, MAX_GROUPS } from '../../../core/analytics/analytics-store.ts';
import { readAnalytics, type Period } from '../../../core/analytics/read-analytics.ts';
import { defineRoute } from '../route.ts';

const rate = z.number().min(0).max(1).nullable();

const counts = z.object({
  accepted: z.int(),
  delivered: z.int(),
  bounced: z.int(),
  expired: z.int(),
  dropped: z.int(),
  cancelled: z.int(),
  waiting: z.int().meta({ description: 'neither ended nor given up yet' }),
  complained: z.int(),
  opened: z.int().meta({ description: 'messages that a person opened' }),
  clicked: z.int().meta({ description: 'messages in which a person clicked a link' }),
  unsubscribed: z.int(),
  bounce_rate: rate.meta({ description: 'of what was delivered or bounced; null without any' }),
  complaint_rate: rate.meta({ description: 'of what was delivered; null without any' }),
});

const period = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  totals: counts,
  days: z
    .array(z.object({ date: z.iso.date(), ...counts.shape }))
    .meta({ description: 'oldest first, also those without mail' }),
});

const view = z
  .object({
    period,
    previous: period.meta({ description: 'as many days, right before' }),
    groups: z
      .array(
        z.object({
          value: z.string().meta({ description: 'what to filter by' }),
          label: z.string().nullable().meta({ description: 'its name; null of what was deleted' }),
          ...counts.shape,
        }),
      )
      .max(MAX_GROUPS)
      .nullable()
      .meta({ description: 'those with the most mail; null without group_by' }),
    annotations: z
      .array(
        z.object({
          at: z.iso.datetime(),
          kind: z.enum(['tier', 'paused', 'resumed', 'brake', 'brake_released', 'campaign']),
          subject: z.string().meta({ description: 'name of the domain, or of the campaign' }),
          from_tier: z.int().nullable(),
          to_tier: z.int().nullable(),
        }),
      )
      .max(MAX_ANNOTATIONS)
      .meta({ description: 'what may explain a change, oldest first' }),
    limits: z
      .array(
        z.object({
          rate: z.enum(['bounces', 'complaints']),
          value: z.number(),
          label: z.string(),
          source: z.string(),
        }),
      )
      .meta({ description: 'rates from which mailbox providers, or services like this one, act' }),
  })
  .meta({
    id: 'Analytics',
    description: 'What became of the messages that were accepted in a range of days',
  });

/** GET /analytics */
export const getAnalytics = defineRoute(
  {
    operationId: 'getAnalytics',
    method: 'GET',
    path: '/analytics',
    access: 'reputation:read',
    group: 'Reputation',
    summary: 'Read what became of mail by day',
    description:
      'Each message counts on the UTC day on which it was accepted, whenever it was opened or bounced. Up to a minute behind.',
    query: analyticsQuery,
    response: view,
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const { groups, annotations, ...found } = await readAnalytics(deps.db.pool, caller.tenantId, query);
    return {
      data: {
        period: toPeriodView(found.period),
        previous: toPeriodView(found.previous),
        groups: groups?.map(({ value, label, ...one }) => ({ value, label, ...toCountsView(one) })) ?? null,
        annotations: annotations.map(({ at, kind, subject, fromTier, toTier }) => ({
          at: at.toISOString(),
          ...{ kind, subject, from_tier: fromTier, to_tier: toTier },
        })),
        limits: [...found.limits],
      },
    };
  },
);

function toPeriodView({ days, totals, from, to }: Period): z.input<typeof period> {
  return {
    from,
    to,
    totals: toCountsView(totals),
    days: days.map((day) => ({ date: day.date, ...toCountsView(day) })),
  };
}

function toCountsView(all: Counts): z.input<typeof counts> {
  const { accepted, delivered, bounced, expired, dropped, cancelled } = all;
  const { complained, opened, clicked, unsubscribed } = all;
  return {
    ...{ accepted, delivered, bounced, expired, dropped, cancelled, waiting: waitingOf(all) },
    ...{ complained, opened, clicked, unsubscribed },
    ...{ bounce_rate: bounceRate(all), complaint_rate: complaintRate(all) },
  };
}
