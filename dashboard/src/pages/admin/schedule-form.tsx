// The inputs of a warm-up plan.

import { useState, type ReactNode } from 'react';
import { useClient, type CombinedError } from 'urql';

import { nowMs } from '../../clock.ts';
import {
  PreviewScheduleDocument,
  type PreviewScheduleQueryVariables,
  type SchedulePlanFragment,
} from '../../gen/pages/admin/schedule.ts';
import { errorText, fieldErrors } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';

const STRATEGIES = [
  { value: 'standard', label: 'Standard: the cap of each tier' },
  { value: 'conservative', label: 'Conservative: half of the cap' },
  { value: 'aggressive', label: 'Aggressive: one and a half times the cap' },
] as const;

/** For urql's cache: an answer without a plan names no type. */
export const PLAN_CHANGED = { additionalTypenames: ['WarmupSchedule'] };

/** The inputs of a preview, and the plan that they give. */
export interface WantedPlan {
  input: Omit<PreviewScheduleQueryVariables, 'id'>;
  plan: SchedulePlanFragment;
}

/** Asks for a preview; saves nothing. */
export function ScheduleForm({
  tenantId,
  plan,
  onPreview,
}: {
  tenantId: string;
  plan: SchedulePlanFragment | null;
  /** Null as soon as a field changes, because the preview is then outdated. */
  onPreview: (wanted: WantedPlan | null) => void;
}): ReactNode {
  const [input, setInput] = useState<Omit<WantedPlan['input'], 'totalTargetRecipients'>>(() => ({
    startDate: new Date(nowMs()).toISOString().slice(0, 10),
    rampStrategy: plan?.rampStrategy ?? 'standard',
  }));
  const { running, error, ask } = usePreview(tenantId, onPreview);
  const [target, setTarget] = useState(String(plan?.totalTargetRecipients ?? 100_000));
  const change = (part: Partial<typeof input>) => {
    setInput((old) => ({ ...old, ...part }));
    onPreview(null);
  };
  const problem = (name: string) => fieldErrors(error).find(({ path }) => path === name)?.message;
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) void ask({ ...input, totalTargetRecipients: Number(target) });
      }}
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="First day (UTC)" error={problem('startDate')}>
          <TextInput
            type="date"
            value={input.startDate}
            onChange={(event) => change({ startDate: event.target.value })}
          />
        </Field>
        <Field label="Total recipients" error={problem('totalTargetRecipients')}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={1}
            value={target}
            onChange={(event) => {
              setTarget(event.target.value);
              onPreview(null);
            }}
          />
        </Field>
        <Field label="Strategy" error={problem('rampStrategy')}>
          <Select
            value={input.rampStrategy}
            onChange={(event) =>
              change({ rampStrategy: event.target.value as WantedPlan['input']['rampStrategy'] })
            }
            options={STRATEGIES}
          />
        </Field>
      </div>
      <FormError message={error && fieldErrors(error).length === 0 ? errorText(error) : null} />
      <Button type="submit" variant="primary" busy={running}>
        Preview plan
      </Button>
    </form>
  );
}

function usePreview(tenantId: string, onPreview: (wanted: WantedPlan | null) => void) {
  const client = useClient();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<CombinedError | undefined>();
  const ask = async (input: WantedPlan['input']) => {
    setRunning(true);
    const variables = { id: tenantId, ...input };
    const result = await client
      .query(PreviewScheduleDocument, variables, { requestPolicy: 'network-only' })
      .toPromise();
    setRunning(false);
    setError(result.error);
    const plan = result.data?.tenant?.warmupSchedulePreview;
    onPreview(plan && !result.error ? { input, plan } : null);
  };
  return { running, error, ask };
}
