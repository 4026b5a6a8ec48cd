// The plan of a tenant's first thirty days: previewed from a start, a target and a strategy, then stored; the stored
// one is replaced or deleted. Each is shown beside the day on which its volumes will really be possible.

import { CalendarRange, Trash2 } from 'lucide-react';
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
import { SchedulePlanCards, sayPlan } from './schedule-plan.tsx';
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
      <Card
        title="Make a plan"
        description="Thirty days from the first one on. You see it before anything is stored."
      >
        <ScheduleForm tenantId={tenantId} plan={plan} onPreview={setWanted} />
      </Card>
      {wanted ? (
        <SchedulePreview tenantId={tenantId} wanted={wanted} stored={plan} onClose={() => setWanted(null)} />
      ) : plan ? (
        <StoredPlan tenantId={tenantId} plan={plan} />
      ) : (
        <Card>
          <EmptyState icon={CalendarRange} title="There is no plan yet">
            A plan changes no cap: it says what to send on which day, and what that day is good for.
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
    toast('The plan is deleted');
    return null;
  };
  return (
    <>
      <SchedulePlanCards
        plan={plan}
        title="The stored plan"
        actions={
          <Button size="small" icon={Trash2} onClick={() => setAsking(true)}>
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
        <p>The plan goes away: {sayPlan(plan)}.</p>
        <p>Tiers and caps stay as they are. The audit log keeps that you deleted it.</p>
      </ConfirmDialog>
    </>
  );
}
