// What a tenant's mail came to over a range of days, beside the range before it.

import { toId } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { RATE_LIMITS, addCounts, type Counts, type Kind, type RateLimit } from './analytics.ts';
import { DEFAULT_DAYS, type AnalyticsQuery } from './analytics-input.ts';
import {
  selectAnnotations,
  selectDays,
  selectGroups,
  selectLastDays,
  type Annotation,
  type DayCounts,
  type GroupCounts,
  type Scope,
  type Span,
} from './analytics-store.ts';

/** One range of days. */
export interface Period extends Span {
  /** Oldest first, also those without mail. */
  days: DayCounts[];
  totals: Counts;
}

/** The answer. */
export interface Analytics {
  period: Period;
  /** As many days, right before. */
  previous: Period;
  /** Null when it was not asked for. */
  groups: GroupCounts[] | null;
  annotations: Annotation[];
  limits: readonly RateLimit[];
}

const DAY_MS = 86_400_000;

/** Reads it. A domain, tag, campaign or provider without mail has zeros. */
export async function readAnalytics(
  db: Queryable,
  tenantId: string,
  query: AnalyticsQuery,
): Promise<Analytics> {
  const { from, to, domain = null } = query;
  const span =
    from !== undefined && to !== undefined
      ? { from, to }
      : await selectLastDays(db, query.days ?? DEFAULT_DAYS);
  const scope = scopeOf(query, domain);
  const [period, previous, groups, annotations] = await Promise.all([
    readPeriod(db, tenantId, scope, span),
    readPeriod(db, tenantId, scope, before(span)),
    readGroups(db, tenantId, query, span),
    selectAnnotations(db, tenantId, domain, span),
  ]);
  return { period, previous, groups, annotations, limits: RATE_LIMITS };
}

function scopeOf({ tag, campaign_id: campaign, provider }: AnalyticsQuery, domain: string | null): Scope {
  if (tag !== undefined) return { kind: 'tag', value: tag, domain };
  if (campaign !== undefined) return { kind: 'campaign', value: campaign, domain };
  if (provider !== undefined) return { kind: 'provider', value: provider.toLowerCase(), domain };
  return { kind: 'all', value: null, domain };
}

async function readPeriod(db: Queryable, tenantId: string, scope: Scope, span: Span): Promise<Period> {
  const days = await selectDays(db, tenantId, scope, span);
  return { ...span, days, totals: addCounts(days) };
}

async function readGroups(
  db: Queryable,
  tenantId: string,
  { group_by: by, ...query }: AnalyticsQuery,
  span: Span,
): Promise<GroupCounts[] | null> {
  if (by === undefined) return null;
  const scope = scopeOf(query, query.domain ?? null);
  const kind: Kind = by === 'domain' ? scope.kind : by;
  const groups = await selectGroups(
    db,
    tenantId,
    { scope: { ...scope, kind }, by: by === 'domain' ? 'all' : by },
    span,
  );
  return by === 'campaign' ? groups.map((one) => ({ ...one, value: campaignId(one.value) })) : groups;
}

// What is beyond the most of a day has no campaign.
function campaignId(value: string): string {
  return /^[0-9a-f-]{36}$/.test(value) ? toId('cmp', value) : value;
}

function before({ from, to }: Span): Span {
  const start = Date.parse(from);
  const days = (Date.parse(to) - start) / DAY_MS + 1;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(start - days * DAY_MS), to: day(start - DAY_MS) };
}
