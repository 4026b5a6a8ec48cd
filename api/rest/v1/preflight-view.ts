// The checks of a domain or campaign as REST shows them.

import { z } from 'zod';

import { LEFT_OUT, type LeftOutReason } from '../../../core/campaign/audience-store.ts';
import { CHECK_STATUSES, type CheckStatus } from '../../../core/preflight/check.ts';
import type { CampaignPreflight, Preflight } from '../../../core/preflight/preflight.ts';
import { RULES, type CheckId } from '../../../core/preflight/rules.ts';

const IDS = Object.keys(RULES) as [CheckId, ...CheckId[]];
const STATUSES = Object.keys(CHECK_STATUSES) as [CheckStatus, ...CheckStatus[]];

const check = z
  .object({
    id: z.enum(IDS),
    status: z.enum(STATUSES).meta({
      description: STATUSES.map((status) => `${status}: ${CHECK_STATUSES[status]}`).join('; '),
    }),
    found: z.string(),
    expected: z.string(),
    fix: z.string().nullable().meta({ description: 'what to do; null: nothing' }),
    docs: z.string().meta({ description: 'where the documentation says why' }),
  })
  .meta({ id: 'PreflightCheck', description: 'One sender rule' });

const LEFT_OUT_REASONS = Object.keys(LEFT_OUT) as [LeftOutReason, ...LeftOutReason[]];

const common = {
  ok: z.boolean().meta({ description: 'whether no check fails' }),
  bulk_allowed_per_day: z.int().meta({ description: 'campaign messages that the domain may send today' }),
  checks: z.array(check),
};

/** The answer about a domain. */
export const preflightView = z
  .object(common)
  .meta({ id: 'Preflight', description: 'A domain against the rules of mailbox providers' });

/** The answer about a campaign. */
export const campaignPreflightView = z
  .object({
    ...common,
    audience: z.object({
      total: z.int(),
      sendable: z.int(),
      unsubscribed: z.int(),
      suppressed: z.int(),
      left_out: z.array(z.object({ reason: z.enum(LEFT_OUT_REASONS), contacts: z.int() })).meta({
        description: `who gets no message; with \`sendable\` they add up to \`total\`. ${LEFT_OUT_REASONS.map((reason) => `${reason}: ${LEFT_OUT[reason]}`).join('; ')}`,
      }),
    }),
    plan: z
      .object({
        assumption: z.string(),
        days: z.array(
          z.object({
            date: z.iso.date(),
            tier: z.int(),
            bulk_cap: z.int().meta({ description: 'campaign messages that the domain may send on that day' }),
            sends: z.int().meta({ description: 'of this campaign' }),
          }),
        ),
        left: z.int().meta({ description: 'messages that would still wait after these days' }),
      })
      .meta({ description: 'what leaves on which UTC day, if launched now' }),
  })
  .meta({ id: 'CampaignPreflight', description: 'A campaign and its domain before a launch' });

/** Shows the checks of a domain. */
export function toPreflightView(found: Preflight): z.input<typeof preflightView> {
  return { ok: found.ok, bulk_allowed_per_day: found.bulkAllowedPerDay, checks: found.checks };
}

/** Shows those of a campaign. */
export function toCampaignPreflightView(found: CampaignPreflight): z.input<typeof campaignPreflightView> {
  const { audience, plan } = found;
  const days = plan.days.map(({ date, tier, bulkCap, sends }) => ({ date, tier, bulk_cap: bulkCap, sends }));
  const { leftOut: left_out, ...counts } = audience;
  return { ...toPreflightView(found), audience: { ...counts, left_out }, plan: { ...plan, days } };
}
