// The warm-up plan of a tenant's first 30 days: previewed from a start, a target and a strategy, then saved, replaced
// or deleted. Each planned day is shown with the day on which its volume will be possible.

import { CalendarRange, Trash } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  DeleteScheduleDocument,
  TenantScheduleDocument,
  type SchedulePlanFragment,
} from '../../gen/pages/admin/schedule.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { PLAN_CHANGED, ScheduleForm, type WantedPlan } from './schedule-form.tsx';
import { SchedulePlanCards, planText } from './schedule-plan.tsx';
import { SchedulePreview } from './schedule-preview.tsx';

export function ScheduleTab({ tenantId }: { tenantId: string }): ReactNode {
  const [wanted, setWanted] = useState<WantedPlan | null>(null);
  const [{ data, error }, again] = useQuery({
    query: TenantScheduleDocument,
    variables: { id: tenantId },
    context: PLAN_CHANGED,
  });
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
    return <Skeleton className="h-64 w-full" />;
  }
  const plan = data.tenant?.warmupSchedule ?? null;
  return (
    <div className="space-y-6">
      <Card title="Create plan" description="A plan covers 30 days. Preview it before you save it.">
        <ScheduleForm tenantId={tenantId} plan={plan} onPreview={setWanted} />
      </Card>
      {wanted ? (
        <SchedulePreview tenantId={tenantId} wanted={wanted} stored={plan} onClose={() => setWanted(null)} />
      ) : plan ? (
        <StoredPlan tenantId={tenantId} plan={plan} />
      ) : (
        <Card>
          <EmptyState icon={CalendarRange} title="No plan yet">
            A plan says how much and which kind of mail to send on each day. It does not change any cap.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

function StoredPlan({ tenantId, plan }: { tenantId: string; plan: SchedulePlanFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, remove] = useMutation(DeleteScheduleDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({ input: { tenantId } }, PLAN_CHANGED);
    if (error) return errorText(error);
    toast('Plan deleted');
    return null;
  };
  return (
    <>
      <SchedulePlanCards
        plan={plan}
        title="Saved plan"
        actions={
          <Button size="small" icon={Trash} onClick={() => setAsking(true)}>
            Delete plan
          </Button>
        }
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete the plan?"
        confirmLabel="Delete plan"
        onConfirm={confirm}
      >
        <p>Plan: {planText(plan)}.</p>
        <p>Tiers and caps do not change. The deletion is recorded in the audit log.</p>
      </ConfirmDialog>
    </>
  );
}
