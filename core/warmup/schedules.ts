// Storing and deleting the plan of a tenant's warm-up.

import { actorName, type Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { planDays, type SchedulePlan } from './schedule.ts';
import { deleteScheduleRow, replaceSchedule, type Schedule } from './schedule-store.ts';

/** Makes the plan of a tenant and stores it in the place of the one before. Throws not_found. */
export async function generateSchedule(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  plan: SchedulePlan,
): Promise<Schedule> {
  const days = planDays(plan);
  return change(deps, by, async (client, record) => {
    const stored = await replaceSchedule(client, { ...plan, tenantId, createdBy: actorName(by), days });
    if (!stored) throw notFound('tenant');
    await record({
      tenantId,
      action: 'warmup.plan_stored',
      subject: toId('tnt', tenantId),
      details: {
        start_date: plan.startDate,
        total_target_recipients: plan.totalTargetRecipients,
        ramp_strategy: plan.strategy,
      },
    });
    return stored;
  });
}

/** Deletes the plan of a tenant. Throws not_found when there is none. */
export async function deleteSchedule(deps: ChangeDeps, by: Actor, tenantId: string): Promise<void> {
  await change(deps, by, async (client, record) => {
    const startDate = await deleteScheduleRow(client, tenantId);
    if (startDate === null) throw notFound('plan');
    const subject = toId('tnt', tenantId);
    await record({
      tenantId,
      action: 'warmup.plan_deleted',
      subject,
      details: { start_date: startDate },
    });
  });
}
