// A plan that is not saved yet. Saving it replaces the saved plan.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { GenerateScheduleDocument, type SchedulePlanFragment } from '../../gen/pages/admin/schedule.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { PLAN_CHANGED, type WantedPlan } from './schedule-form.tsx';
import { SchedulePlanCards, planText } from './schedule-plan.tsx';

/** The preview, with buttons to save or discard it. */
export function SchedulePreview({
  tenantId,
  wanted,
  stored,
  onClose,
}: {
  tenantId: string;
  wanted: WantedPlan;
  stored: SchedulePlanFragment | null;
  onClose: () => void;
}): ReactNode {
  const [asking, setAsking] = useState(false);
  const [{ fetching }, generate] = useMutation(GenerateScheduleDocument);
  const toast = useToast();
  const store = async () => {
    const { error } = await generate({ input: { tenantId, ...wanted.input } }, PLAN_CHANGED);
    if (error) return errorText(error);
    toast('Plan saved');
    onClose();
    return null;
  };
  const storeAtOnce = async () => {
    const refusal = await store();
    if (refusal !== null) toast(refusal, 'bad');
  };
  const shown = useRef<HTMLElement>(null);
  // It appears below the form, which may fill a small screen.
  useEffect(() => {
    shown.current?.focus({ preventScroll: true });
    shown.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [wanted]);
  return (
    <section ref={shown} tabIndex={-1} aria-label="Preview of the plan" className="space-y-6 outline-none">
      <SchedulePlanCards
        plan={wanted.plan}
        title="Preview (not saved)"
        actions={
          <>
            <Button size="small" onClick={onClose}>
              Discard
            </Button>
            <Button
              size="small"
              variant="primary"
              busy={fetching}
              onClick={() => (stored ? setAsking(true) : void storeAtOnce())}
            >
              {stored ? 'Replace saved plan' : 'Save plan'}
            </Button>
          </>
        }
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Replace the saved plan?"
        confirmLabel="Replace plan"
        onConfirm={store}
      >
        {stored ? <p>This deletes the saved plan: {planText(stored)}.</p> : null}
        <p>New plan: {planText(wanted.plan)}. Tiers and caps do not change.</p>
      </ConfirmDialog>
    </section>
  );
}
