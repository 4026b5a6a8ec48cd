// GET /reputation: the trust score of every sending domain, and what it is made from.

import { z } from 'zod';

import {
  readReputation,
  WINDOW_DAYS,
  type Metrics,
  type Reputation,
} from '../../../core/reputation/reputation.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';

const MAX_NAME_CHARS = 253;
const rate = z.number().min(0).max(1);

const metrics = z.object({
  sent: z.int().meta({ description: 'messages with their first attempt in this period' }),
  delivered: z.int(),
  bounced: z.int(),
  hard_bounced: z.int(),
  complained: z.int(),
  opened: z.int().meta({ description: 'messages that a person opened' }),
  clicked: z.int().meta({ description: 'messages in which a person clicked a link' }),
  machine_opened: z.int().meta({ description: 'opens by scanners and prefetchers, not counted in rates' }),
  machine_clicked: z.int(),
  unsubscribed: z.int(),
  delivery_rate: rate,
  bounce_rate: rate,
  complaint_rate: rate.meta({ description: 'of delivered messages' }),
  open_rate: rate,
  click_rate: rate,
});

const part = z.object({
  part: z.enum(['complaints', 'bounces', 'delivery', 'authentication', 'age', 'tier', 'engagement']),
  points: z.number(),
  max_points: z.int(),
  value: z.number().meta({ description: 'the evaluated rate, days, tier or share' }),
  advice: z.string().nullable().meta({ description: 'how to raise it; null at full points' }),
});

/** The reputation of a domain in the contract's words. */
const reputationView = z
  .object({
    domain: z.string(),
    trust_score: z.int().min(0).max(100),
    parts: z.array(part).meta({ description: 'the parts that add up to the score' }),
    window_days: z.literal(WINDOW_DAYS),
    metrics,
    warmup: z.object({ tier: z.int(), cap: z.int() }),
    daily: z
      .array(z.object({ date: z.iso.date(), ...metrics.shape }))
      .meta({ description: 'one entry per UTC day, oldest first, today last' }),
  })
  .meta({ id: 'Reputation', description: 'Statistics of a domain’s mail over 30 days, and its trust score' });

/** GET /reputation */
export const listReputation = defineRoute(
  {
    operationId: 'listReputation',
    method: 'GET',
    path: '/reputation',
    access: 'reputation:read',
    group: 'Reputation',
    summary: 'Read the reputation of all domains',
    description:
      'The rates leave out opens and clicks by machines, and mail of the built-in domain to the simulator.',
    query: z.strictObject({
      ...pageQuery,
      domain: z
        .string()
        .max(MAX_NAME_CHARS)
        .optional()
        .meta({ description: 'only the domain with this name' }),
    }),
    response: pageOf(reputationView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await readReputation(deps.db, caller.tenantId, {
      before,
      limit: query.limit + 1,
      name: query.domain,
    });
    return { data: toPage(rows, query.limit, (row) => [row.domainId], toReputationView) };
  },
);

function toReputationView(reputation: Reputation): z.input<typeof reputationView> {
  return {
    domain: reputation.domain,
    trust_score: reputation.trustScore,
    parts: reputation.parts,
    window_days: WINDOW_DAYS,
    metrics: toMetricsView(reputation.metrics),
    warmup: reputation.warmup,
    daily: reputation.daily.map(({ date, ...day }) => ({ date, ...toMetricsView(day) })),
  };
}

function toMetricsView(counts: Metrics): z.input<typeof metrics> {
  return {
    sent: counts.sent,
    delivered: counts.delivered,
    bounced: counts.bounced,
    hard_bounced: counts.hardBounced,
    complained: counts.complained,
    opened: counts.opened,
    clicked: counts.clicked,
    machine_opened: counts.machineOpened,
    machine_clicked: counts.machineClicked,
    unsubscribed: counts.unsubscribed,
    delivery_rate: counts.deliveryRate,
    bounce_rate: counts.bounceRate,
    complaint_rate: counts.complaintRate,
    open_rate: counts.openRate,
    click_rate: counts.clickRate,
  };
}
