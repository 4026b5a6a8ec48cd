// The plan of a tenant's warm-up and the reconciliation of its routes, for super-admins.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import { readForecastDomains } from '../../../core/warmup/forecast-store.ts';
import { forecast, type ForecastDay } from '../../../core/warmup/forecast.ts';
import {
  readReconciliation,
  type Reconciliation,
  type ReconciliationItem,
} from '../../../core/warmup/reconcile.ts';
import { generateSchedule, readSchedule, type Schedule } from '../../../core/warmup/schedule-store.ts';
import { LARGEST_TARGET, STRATEGIES, type ScheduleDay } from '../../../core/warmup/schedule.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { checkInput } from '../rest-input.ts';
import { readTenant } from './tenant-admin.ts';
import type { TenantTypes } from './tenant.ts';

const superAdmin = { superAdmin: true };
const PLAN_COST = 100;

interface ShownForecast {
  domain: string;
  assumption: string;
  days: ForecastDay[];
}

/** Adds the plan and the reconciliation to Tenant, and `generateWarmupSchedule`. */
export function addWarmupPlan(builder: Builder, { tenant }: TenantTypes): void {
  const strategy = builder.enumType('RampStrategy', { values: STRATEGIES });
  const schedule = addSchedule(builder, strategy);
  builder.objectField(tenant, 'warmupSchedule', (t) =>
    t.field({
      type: schedule,
      nullable: true,
      description: 'Super-admins only',
      authScopes: superAdmin,
      complexity: PLAN_COST,
      resolve: ({ id }, _args, { deps }) => readSchedule(deps.db.pool, id),
    }),
  );
  const input = builder.inputType('GenerateWarmupScheduleInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      startDate: t.string({ required: true, description: 'YYYY-MM-DD' }),
      totalTargetRecipients: t.float({ required: true, description: 'A whole number, 1 or more' }),
      rampStrategy: t.field({ type: strategy }),
    }),
  });
  const payload = builder.objectRef<{ warmupSchedule: Schedule }>('WarmupSchedulePayload').implement({
    fields: (t) => ({ warmupSchedule: t.expose('warmupSchedule', { type: schedule }) }),
  });
  const plan = z.object({
    start_date: z.iso.date(),
    total_target_recipients: z.int().min(1).max(LARGEST_TARGET),
    ramp_strategy: z.enum(STRATEGIES).default('standard'),
  });
  builder.mutationField('generateWarmupSchedule', (t) =>
    t.field({
      type: payload,
      description: 'Makes the plan of 30 days, in the place of the one before; super-admins only',
      authScopes: superAdmin,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { tenantId, ...fields } }, context) => {
        const { id } = await readTenant(context, tenantId);
        const checked = checkInput(plan, fields);
        const wanted = {
          startDate: checked.start_date,
          totalTargetRecipients: checked.total_target_recipients,
          strategy: checked.ramp_strategy,
        };
        const { user } = signedIn(context);
        return { warmupSchedule: await generateSchedule(context.deps.db.pool, id, wanted, user.email) };
      },
    }),
  );
  addReconciliation(builder, tenant);
}

function addSchedule(
  builder: Builder,
  strategy: ReturnType<typeof builder.enumType<'RampStrategy', typeof STRATEGIES>>,
) {
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
      possibleOn: t.exposeString('possibleOn', { nullable: true, description: 'Null: never, as it stands' }),
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
  return builder.objectRef<Schedule>('WarmupSchedule').implement({
    description: 'The plan of 30 days',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      startDate: t.exposeString('startDate'),
      totalTargetRecipients: t.exposeFloat('totalTargetRecipients'),
      rampStrategy: t.field({ type: strategy, resolve: ({ strategy: chosen }) => chosen }),
      days: t.expose('days', { type: [day] }),
      forecast: t.field({
        type: [shown],
        description: 'For each verified domain on its own',
        resolve: async ({ tenantId, days }, _args, { deps }) => {
          const domains = await readForecastDomains(deps.db.pool, tenantId);
          return domains.map((one) => ({ domain: one.name, ...forecast(one, days, one.today) }));
        },
      }),
    }),
  });
}

function addReconciliation(builder: Builder, tenant: TenantTypes['tenant']): void {
  const item = builder.objectRef<ReconciliationItem>('ReconciliationItem').implement({
    fields: (t) => ({
      esp: t.exposeString('esp'),
      subCap: t.exposeInt('subCap'),
      used: t.exposeInt('used'),
      remaining: t.exposeInt('remaining'),
      overBy: t.exposeInt('overBy'),
      acceptedByEsp: t.exposeInt('acceptedByEsp'),
      difference: t.exposeInt('difference', { description: 'used − accepted: in flight, bounced, or lost' }),
    }),
  });
  const report = builder.objectRef<Reconciliation>('Reconciliation').implement({
    description: 'Our count beside what each route accepted',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      date: t.exposeString('date', { description: 'UTC' }),
      enforced: t.exposeBoolean('enforced', { description: 'False: the report is advisory' }),
      items: t.expose('items', { type: [item] }),
    }),
  });
  builder.objectField(tenant, 'reconciliation', (t) =>
    t.field({
      type: report,
      description: 'Super-admins only',
      authScopes: superAdmin,
      args: { date: t.arg.string({ description: 'YYYY-MM-DD; today when left out' }) },
      complexity: PLAN_COST,
      resolve: ({ id }, args, { deps }) => {
        const { date = null } = checkInput(z.object({ date: z.iso.date().optional() }), { date: args.date });
        const { OUTBOUND_ROUTES: routes, WARMUP_PER_ESP_ENFORCE: enforced } = deps.config;
        return readReconciliation(deps.db.pool, id, date, { routes, enforced });
      },
    }),
  );
}
