// /admin/tenants/{id}/warmup-schedule: the plan of a tenant's first 30 days, and when its volumes will be possible.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { forecast } from '../../../core/warmup/forecast.ts';
import { readForecastDomains } from '../../../core/warmup/forecast-store.ts';
import { STRATEGIES } from '../../../core/warmup/schedule.ts';
import { scheduleInput } from '../../../core/warmup/schedule-input.ts';
import { readSchedule, type Schedule } from '../../../core/warmup/schedule-store.ts';
import { generateSchedule } from '../../../core/warmup/schedules.ts';
import type { ApiDeps } from '../../deps.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Administration';
const params = z.object({ id: idInput('tnt') });
const date = z.iso.date();

const day = z.object({
  day: z.int(),
  date,
  tier: z.int(),
  planned_sends: z.int(),
  mail_kind: z.enum(['transactional', 'engaged', 'marketing']),
});

const forecastView = z.object({
  domain: z.string(),
  assumption: z.string().meta({ description: 'the assumption of the forecast' }),
  days: z.array(
    z.object({
      day: z.int(),
      date,
      planned_sends: z.int(),
      possible_on: date.nullable().meta({ description: 'null: not within a year under the assumption' }),
    }),
  ),
});

const response = z.object({
  tenant_id: idView('tnt'),
  start_date: date,
  total_target_recipients: z.int(),
  ramp_strategy: z.enum(STRATEGIES),
  days: z.array(day),
  forecast: z.array(forecastView).meta({ description: 'one forecast per verified domain' }),
});

/** POST /admin/tenants/{id}/warmup-schedule/generate */
export const generateWarmupSchedule = defineRoute(
  {
    operationId: 'planWarmup',
    method: 'POST',
    path: '/admin/tenants/{id}/warmup-schedule/generate',
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Plan a warm-up',
    description: 'Creates the 30-day plan and replaces the previous one.',
    params,
    body: jsonBody(scheduleInput),
    response,
    status: 201,
    example: { start_date: '2026-12-01', total_target_recipients: 20_000, ramp_strategy: 'standard' },
  },
  async ({ deps, by, params: { id }, body }) => {
    const plan = {
      startDate: body.start_date,
      totalTargetRecipients: body.total_target_recipients,
      strategy: body.ramp_strategy,
    };
    return { data: await toView(deps, await generateSchedule(deps, by, id, plan)) };
  },
);

/** GET /admin/tenants/{id}/warmup-schedule */
export const getWarmupSchedule = defineRoute(
  {
    operationId: 'getWarmupPlan',
    method: 'GET',
    path: '/admin/tenants/{id}/warmup-schedule',
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Read the plan of a warm-up',
    params,
    response,
    status: 200,
  },
  async ({ deps, params: { id } }) => {
    const schedule = await readSchedule(deps.db.pool, id);
    if (!schedule) throw notFound('warm-up schedule');
    return { data: await toView(deps, schedule) };
  },
);

async function toView(deps: ApiDeps, schedule: Schedule): Promise<z.input<typeof response>> {
  const { tenantId, startDate, totalTargetRecipients, strategy, days } = schedule;
  const domains = await readForecastDomains(deps.db.pool, tenantId);
  return {
    tenant_id: toId('tnt', tenantId),
    start_date: startDate,
    total_target_recipients: totalTargetRecipients,
    ramp_strategy: strategy,
    days: days.map((one) => ({
      day: one.day,
      date: one.date,
      tier: one.tier,
      planned_sends: one.plannedSends,
      mail_kind: one.mailKind,
    })),
    forecast: domains.map((domain) => {
      const { assumption, days: when } = forecast(domain, days, domain.today);
      const shown = when.map((one) => ({
        day: one.day,
        date: one.date,
        planned_sends: one.plannedSends,
        possible_on: one.possibleOn,
      }));
      return { domain: domain.name, assumption, days: shown };
    }),
  };
}
