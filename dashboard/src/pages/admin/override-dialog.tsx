// Changing, holding or resuming a domain's warm-up manually, with a reason for its history.

import { useState, type ReactNode } from 'react';

import {
  OverrideTierDocument,
  ResumeWarmupDocument,
  type TenantDomainFragment,
} from '../../gen/pages/admin/tenant-domains.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { useToast } from '../../ui/toast.tsx';
import { effectsOf, TIER_CAPS, type OverrideAction } from './override-effects.ts';

const ACTIONS = [
  { value: 'advance', label: 'Advance by one tier' },
  { value: 'demote', label: 'Demote by one tier' },
  { value: 'hold', label: 'Hold: stop automatic changes' },
  { value: 'release', label: 'Release: resume automatic changes' },
  { value: 'set', label: 'Set tier' },
] as const;
export function OverrideDialog({
  tenantId,
  domain,
  onClose,
  onChanged,
}: {
  tenantId: string;
  domain: TenantDomainFragment;
  onClose: () => void;
  onChanged: () => void;
}): ReactNode {
  const paused = domain.warmup.state === 'paused';
  const [action, setAction] = useState<OverrideAction>(paused ? 'resume' : 'hold');
  const [tier, setTier] = useState(String(domain.warmup.tier));
  const [reason, setReason] = useState('');
  const overriding = useMutationForm(OverrideTierDocument, ['reason', 'tier']);
  const resuming = useMutationForm(ResumeWarmupDocument, ['reason']);
  const form = action === 'resume' ? resuming : overriding;
  const toast = useToast();
  const actions = paused ? [{ value: 'resume', label: 'Resume' }, ...ACTIONS] : ACTIONS;
  const common = { tenantId, domainId: domain.id, reason: reason.trim() };
  const run = async () => {
    const done =
      action === 'resume'
        ? await resuming.run({ input: common })
        : await overriding.run({
            input: { ...common, ...(action === 'set' ? { tier: Number(tier) } : { action }) },
          });
    if (done === null) return;
    onChanged();
    toast(`Warm-up of ${domain.name} changed`);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Override warm-up of ${domain.name}`}
      description={statusText(domain)}
    >
      <form
        noValidate
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!form.running) void run();
        }}
      >
        <Field label="Change">
          <Select
            value={action}
            onChange={(event) => setAction(event.target.value as OverrideAction)}
            options={actions}
          />
        </Field>
        {action === 'set' ? (
          <Field label="Tier" error={form.fieldError('tier')}>
            <Select
              value={tier}
              onChange={(event) => setTier(event.target.value)}
              options={TIER_CAPS.map((cap, n) => ({
                value: String(n),
                label: `Tier ${n}: ${formatNumber(cap)} a day`,
              }))}
            />
          </Field>
        ) : null}
        <Effects {...effectsOf(action, domain.warmup, Number(tier))} />
        <Field
          label="Reason"
          hint="Shown to the tenant in the warm-up history, and kept in the audit log."
          error={form.fieldError('reason')}
        >
          <TextInput value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <FormError message={form.error} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.running} disabled={reason.trim() === ''}>
            {action === 'resume' ? 'Resume' : 'Override'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function statusText({ warmup: { tier, state, used, cap, pausedReason } }: TenantDomainFragment): string {
  const why = pausedReason === null ? '' : ` (${pausedReason})`;
  return `Tier ${tier}, ${state}${why}. ${formatNumber(used)} of ${formatNumber(cap)} used today.`;
}

// Announced when another change is chosen.
function Effects({ sentences, warn }: ReturnType<typeof effectsOf>): ReactNode {
  return (
    <section
      aria-label="Effect"
      aria-live="polite"
      className={cx('rounded-md px-3 py-2', warn ? 'bg-warn-soft text-warn' : 'bg-subtle')}
    >
      <p className="font-medium">Effect</p>
      {sentences.map((sentence) => (
        <p key={sentence} className="mt-1 [overflow-wrap:anywhere]">
          {sentence}
        </p>
      ))}
    </section>
  );
}
