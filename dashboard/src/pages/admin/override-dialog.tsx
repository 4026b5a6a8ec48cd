// Moving, freezing or resuming a domain's warm-up by hand, with the reason that its history will show.

import { useState, type ReactNode } from 'react';

import {
  OverrideTierDocument,
  ResumeWarmupDocument,
  type TenantDomainFragment,
} from '../../gen/pages/admin/tenant-domains.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

const TOP_TIER = 10;
const ACTIONS = [
  { value: 'advance', label: 'Advance by one tier' },
  { value: 'demote', label: 'Demote by one tier' },
  { value: 'hold', label: 'Hold: the ramp leaves it alone' },
  { value: 'release', label: 'Release: the ramp decides again' },
  { value: 'set', label: 'Set to a tier' },
] as const;
type Action = (typeof ACTIONS)[number]['value'] | 'resume';

const EFFECTS: Record<Action, string> = {
  advance: 'Today’s cap rises at once.',
  demote: 'Today’s cap falls at once. What was sent already stays sent.',
  hold: 'The tier neither rises nor falls until it is released. A day with too many bounces still pauses it.',
  release: 'From the next 02:00 UTC on the ramp decides again.',
  set: 'Today’s cap follows at once. A cap that is too high for a young domain can ruin it.',
  resume: 'Sends are taken again at the tier that it has, and what waits goes to the gate at once.',
};

/** The dialog. */
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
  const [action, setAction] = useState<Action>(paused ? 'resume' : 'hold');
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
    toast(`${domain.name}: done`);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Override ${domain.name}`}
      description={`It is at tier ${domain.warmup.tier}, ${domain.warmup.state}.`}
    >
      <form
        noValidate
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!form.running) void run();
        }}
      >
        <Field label="What to do" hint={EFFECTS[action]}>
          <Select
            value={action}
            onChange={(event) => setAction(event.target.value as Action)}
            options={actions}
          />
        </Field>
        {action === 'set' ? (
          <Field label="Tier" error={form.fieldError('tier')}>
            <Select
              value={tier}
              onChange={(event) => setTier(event.target.value)}
              options={Array.from({ length: TOP_TIER + 1 }, (_, n) => ({
                value: String(n),
                label: `Tier ${n}`,
              }))}
            />
          </Field>
        ) : null}
        <Field
          label="Reason"
          hint="The tenant sees it in the domain’s history, and the audit log keeps it."
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
