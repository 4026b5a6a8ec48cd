// The warm-up of a domain: where it stands, how it came there, and where it is going.

import { invalidField } from '../../../core/base/errors.ts';
import type { DomainView } from '../../../core/domain/domain.ts';
import { capsAhead, forecast, type CapsAhead } from '../../../core/warmup/forecast.ts';
import { readWarmupDays, type WarmupDay } from '../../../core/warmup/day-store.ts';
import type { ForecastRow } from '../../../core/warmup/forecast-store.ts';
import { readHistory, type HistoryEntry } from '../../../core/warmup/history-store.ts';
import { capOfTier } from '../../../core/warmup/tiers.ts';
import type { Builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import type { DomainTypes } from './domain.ts';

const MAX_DAYS = 90; // of a picture
const DAYS_COST = 20; // one statement over a domain's days
const MOST_A_DAY = 100_000_000; // sends; far beyond what any domain may send

/** Adds the fields `warmup`, `warmupHistory`, `warmupDays`, `outlook` and `forecast` to Domain. */
export function addDomainWarmup(builder: Builder, { domain }: DomainTypes): void {
  addState(builder, domain);
  addHistory(builder, domain);
  addDays(builder, domain);
  addForecast(builder, domain);
}

function addState(builder: Builder, domain: DomainTypes['domain']): void {
  const state = builder.enumType('WarmupState', { values: ['active', 'held', 'paused'] as const });
  const warmup = builder.objectRef<DomainView>('DomainWarmup').implement({
    description: 'The warm-up of the domain on one UTC day',
    fields: (t) => ({
      tier: t.exposeInt('tier', { description: '0 to 10' }),
      cap: t.int({ resolve: ({ cap, tier }) => cap ?? capOfTier(tier), description: 'Messages per UTC day' }),
      used: t.exposeInt('used'),
      day: t.exposeString('day', { description: 'UTC date of `used`' }),
      state: t.expose('warmupState', { type: state }),
      pausedReason: t.exposeString('pausedReason', { nullable: true }),
      waiting: t.int({
        description: 'Messages deferred because the cap is reached',
        resolve: async ({ id, tenantId }, _args, context) => {
          const waiting = (await context.account.forecasts.load({ id, tenantId }))?.waiting;
          return waiting ? waiting.transactional + waiting.bulk : 0;
        },
      }),
    }),
  });
  builder.objectField(domain, 'warmup', (t) => t.field({ type: warmup, resolve: (self) => self }));
}

function addHistory(builder: Builder, domain: DomainTypes['domain']): void {
  const rates = builder.objectRef<Record<string, number>>('WarmupRates').implement({
    description: 'The rates of the evaluated day; fractions 0 to 1',
    fields: (t) => ({
      attempted: t.int({ nullable: true, resolve: (seen) => seen['attempted'] ?? null }),
      bounceRate: t.float({ nullable: true, resolve: (seen) => seen['bounce_rate'] ?? null }),
      complaintRate: t.float({ nullable: true, resolve: (seen) => seen['complaint_rate'] ?? null }),
      deliveryRate: t.float({ nullable: true, resolve: (seen) => seen['delivery_rate'] ?? null }),
    }),
  });
  const entry = builder.objectRef<HistoryEntry>('WarmupEntry').implement({
    description: 'One tier change',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      actor: t.exposeString('actor'),
      action: t.exposeString('action'),
      fromTier: t.exposeInt('fromTier'),
      toTier: t.exposeInt('toTier'),
      reason: t.exposeString('reason'),
      rates: t.expose('rates', { type: rates, nullable: true }),
    }),
  });
  builder.objectField(domain, 'warmupHistory', (t) =>
    t.connection({
      type: entry,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (self, args, { deps }) =>
        resolveOlder(args, (page) =>
          deps.inTenantOf(self.tenantId, () => readHistory(deps.db.pool, self.tenantId, self.id, page)),
        ),
    }),
  );
}

function addDays(builder: Builder, domain: DomainTypes['domain']): void {
  const day = builder.objectRef<WarmupDay>('WarmupDay').implement({
    description: 'One UTC day of a domain',
    fields: (t) => ({
      date: t.exposeString('date'),
      tier: t.exposeInt('tier'),
      cap: t.exposeInt('cap'),
      used: t.exposeInt('used', { description: 'Messages admitted under the cap' }),
      delivered: t.exposeInt('delivered'),
      bounced: t.exposeInt('bounced'),
      deferred: t.exposeInt('deferred', {
        description: 'Deferred on this day because the cap was reached, including those deferred before',
      }),
    }),
  });
  builder.objectField(domain, 'warmupDays', (t) =>
    t.field({
      type: [day],
      description: 'Oldest first, today last; none before the domain was verified',
      args: { days: t.arg.int({ defaultValue: 30, description: `1 to ${MAX_DAYS}` }) },
      complexity: DAYS_COST,
      resolve: (self, { days }, { deps }) =>
        deps.inTenantOf(self.tenantId, () =>
          readWarmupDays(deps.db.pool, self.tenantId, self.id, checkDays(days)),
        ),
    }),
  );
}

function addForecast(builder: Builder, domain: DomainTypes['domain']): void {
  const outlookDay = builder.objectRef<CapsAhead['days'][number]>('OutlookDay').implement({
    fields: (t) => ({
      date: t.exposeString('date'),
      tier: t.exposeInt('tier'),
      cap: t.exposeInt('cap'),
    }),
  });
  const outlook = builder.objectRef<CapsAhead>('WarmupOutlook').implement({
    description: 'The forecast of the cap for the coming days, with its assumption',
    fields: (t) => ({
      assumption: t.exposeString('assumption'),
      days: t.expose('days', { type: [outlookDay] }),
    }),
  });
  const volume = builder
    .objectRef<{ assumption: string; possibleOn: string | null }>('VolumeForecast')
    .implement({
      description: 'The day from which a volume is possible',
      fields: (t) => ({
        assumption: t.exposeString('assumption'),
        possibleOn: t.exposeString('possibleOn', {
          nullable: true,
          description: 'UTC date; null: not possible under the assumption',
        }),
      }),
    });
  builder.objectField(domain, 'outlook', (t) =>
    t.field({
      type: outlook,
      args: { days: t.arg.int({ defaultValue: 30, description: `1 to ${MAX_DAYS}` }) },
      complexity: DAYS_COST,
      resolve: async (self, { days }, context) => {
        const row = await standing(context, self);
        return row ? capsAhead(row, row.today, checkDays(days)) : NOT_VERIFIED;
      },
    }),
  );
  builder.objectField(domain, 'forecast', (t) =>
    t.field({
      type: volume,
      args: { perDay: t.arg.int({ required: true, description: 'Messages per day' }) },
      complexity: DAYS_COST,
      resolve: async (self, { perDay }, context) => {
        if (perDay < 1 || perDay > MOST_A_DAY) throw invalidField('perDay', `must be 1 to ${MOST_A_DAY}`);
        const row = await standing(context, self);
        if (!row) return { assumption: NOT_VERIFIED.assumption, possibleOn: null };
        const planned = [{ day: 0, date: row.today, plannedSends: perDay }];
        const { assumption, days } = forecast(row, planned, row.today);
        return { assumption, possibleOn: days[0]?.possibleOn ?? null };
      },
    }),
  );
}

const NOT_VERIFIED: CapsAhead = { assumption: 'the domain is not verified yet', days: [] };

function standing(context: GraphqlContext, { id, tenantId }: DomainView): Promise<ForecastRow | null> {
  return context.account.forecasts.load({ id, tenantId });
}

function checkDays(days: number | null | undefined): number {
  const count = days ?? 30;
  if (count < 1 || count > MAX_DAYS) throw invalidField('days', `must be 1 to ${MAX_DAYS}`);
  return count;
}
