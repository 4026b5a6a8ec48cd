// The plan of a tenant's warm-up, for super-admins: previewed, stored, deleted.

import { toId } from '../../../core/base/ids.ts';
import { readForecastDomains } from '../../../core/warmup/forecast-store.ts';
import { forecast, type ForecastDay } from '../../../core/warmup/forecast.ts';
import { scheduleInput } from '../../../core/warmup/schedule-input.ts';
import { readSchedule, type Schedule } from '../../../core/warmup/schedule-store.ts';
import { deleteSchedule, generateSchedule } from '../../../core/warmup/schedules.ts';
import { planDays, STRATEGIES, type ScheduleDay, type SchedulePlan } from '../../../core/warmup/schedule.ts';
import type { Builder } from '../builder.ts';
import { checkInput } from '../check-input.ts';
import { changedBy } from '../context.ts';
import type { DeletePayload } from './deleted.ts';
import { readTenant } from './tenant-admin.ts';
import type { TenantTypes } from './tenant.ts';

const superAdmin = { superAdmin: true };
const PLAN_COST = 100;

/** Stored or not. */
type ShownSchedule = Omit<Schedule, 'createdBy' | 'createdAt'>;
type StrategyType = ReturnType<typeof addStrategy>;

interface ShownForecast {
  domain: string;
  assumption: string;
  days: ForecastDay[];
}

/** Adds the plan and its preview to Tenant, and the mutations that store and delete the plan. */
export function addWarmupPlan(builder: Builder, { tenant }: TenantTypes, deleted: DeletePayload): void {
  const strategy = addStrategy(builder);
  const schedule = addSchedule(builder, strategy);
  builder.objectField(tenant, 'warmupSchedule', (t) =>
    t.field({
      type: schedule,
      nullable: true,
      description: 'Super-admins only',
      authScopes: superAdmin,
      complexity: PLAN_COST,
      resolve: (self, _args, { deps }) => deps.inTenant(self, () => readSchedule(deps.db.pool, self.id)),
    }),
  );
  builder.objectField(tenant, 'warmupSchedulePreview', (t) =>
    t.field({
      type: schedule,
      description: 'The plan that generateWarmupSchedule would store; super-admins only',
      authScopes: superAdmin,
      args: {
        startDate: t.arg.string({ required: true, description: 'YYYY-MM-DD' }),
        totalTargetRecipients: t.arg.float({ required: true, description: 'A whole number, 1 or more' }),
        rampStrategy: t.arg({ type: strategy }),
      },
      complexity: PLAN_COST,
      resolve: ({ id: tenantId }, args) => {
        const wanted = readWanted(args);
        return { ...wanted, tenantId, days: planDays(wanted) };
      },
    }),
  );
  addChanges(builder, { schedule, strategy }, deleted);
}

function addStrategy(builder: Builder) {
  return builder.enumType('RampStrategy', { values: STRATEGIES });
}

function addChanges(
  builder: Builder,
  { schedule, strategy }: { schedule: ReturnType<typeof addSchedule>; strategy: StrategyType },
  deleted: DeletePayload,
): void {
  const input = builder.inputType('GenerateWarmupScheduleInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      startDate: t.string({ required: true, description: 'YYYY-MM-DD' }),
      totalTargetRecipients: t.float({ required: true, description: 'A whole number, 1 or more' }),
      rampStrategy: t.field({ type: strategy }),
    }),
  });
  const payload = builder.objectRef<{ warmupSchedule: ShownSchedule }>('WarmupSchedulePayload').implement({
    fields: (t) => ({ warmupSchedule: t.expose('warmupSchedule', { type: schedule }) }),
  });
  builder.mutationField('generateWarmupSchedule', (t) =>
    t.field({
      type: payload,
      description: 'Creates the 30-day plan and replaces the previous one; super-admins only',
      authScopes: superAdmin,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { tenantId, ...fields } }, context) => {
        const tenant = await readTenant(context, tenantId);
        const wanted = readWanted(fields);
        const { deps } = context;
        const generate = () => generateSchedule(deps, changedBy(context), tenant.id, wanted);
        return { warmupSchedule: await deps.inTenant(tenant, generate) };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteWarmupScheduleInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }) }),
  });
  builder.mutationField('deleteWarmupSchedule', (t) =>
    t.field({
      type: deleted,
      description: 'Deletes the plan; tiers and caps do not change. Returns the tenant. Super-admins only',
      authScopes: superAdmin,
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input: { tenantId } }, context) => {
        const tenant = await readTenant(context, tenantId);
        const { deps } = context;
        await deps.inTenant(tenant, () => deleteSchedule(deps, changedBy(context), tenant.id));
        return { id: tenantId };
      },
    }),
  );
}

// What a plan is made from, checked.
function readWanted(fields: Record<string, unknown>): SchedulePlan {
  const checked = checkInput(scheduleInput, fields);
  return {
    startDate: checked.start_date,
    totalTargetRecipients: checked.total_target_recipients,
    strategy: checked.ramp_strategy,
  };
}

function addSchedule(builder: Builder, strategy: StrategyType) {
  const day = builder.objectRef<ScheduleDay>('ScheduleDay').implement({
    fields: (t) => ({
      day: t.exposeInt('day'),
      date: t.exposeString('date'),
      tier: t.exposeInt('tier'),
      plannedSends: t.exposeInt('plannedSends'),
      mailKind: t.exposeString('mailKind'),
    }),
  });
  const forecastDay = builder.objectRef<ForecastDay>('ScheduleForecastDay').implement({
    fields: (t) => ({
      day: t.exposeInt('day'),
      date: t.exposeString('date'),
      plannedSends: t.exposeInt('plannedSends'),
      possibleOn: t.exposeString('possibleOn', {
        nullable: true,
        description: 'Null: not possible at the current cap',
      }),
    }),
  });
  const shown = builder.objectRef<ShownForecast>('ScheduleForecast').implement({
    description: 'When the planned volumes will be possible for one domain',
    fields: (t) => ({
      domain: t.exposeString('domain'),
      assumption: t.exposeString('assumption'),
      days: t.expose('days', { type: [forecastDay] }),
    }),
  });
  return builder.objectRef<ShownSchedule>('WarmupSchedule').implement({
    description: 'The 30-day plan',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      startDate: t.exposeString('startDate'),
      totalTargetRecipients: t.exposeFloat('totalTargetRecipients'),
      rampStrategy: t.field({ type: strategy, resolve: ({ strategy: chosen }) => chosen }),
      days: t.expose('days', { type: [day] }),
      forecast: t.field({
        type: [shown],
        description: 'One forecast per verified domain',
        resolve: async ({ tenantId, days }, _args, { deps }) => {
          const domains = await deps.inTenantOf(tenantId, () => readForecastDomains(deps.db.pool, tenantId));
          return domains.map((one) => ({ domain: one.name, ...forecast(one, days, one.today) }));
        },
      }),
    }),
  });
}
