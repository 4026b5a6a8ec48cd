// Delivering the events of a range of time again.

import { useState, type ReactNode } from 'react';

import { nowMs } from '../../clock.ts';
import {
  ReplayWebhookDocument,
  type ReplayWebhookMutation,
  type WebhookDetailFragment,
} from '../../gen/pages/webhooks/webhook.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { fieldOfTime, timeOfField, timeZone } from '../../ui/zone.ts';

const DAY_MS = 86_400_000;
const WHICH = [
  { value: 'dead', label: 'Failed deliveries only' },
  { value: 'failed', label: 'Deliveries that are being retried' },
  { value: 'succeeded', label: 'Successful deliveries' },
  { value: '', label: 'All deliveries that were attempted' },
];

interface Props {
  webhook: WebhookDetailFragment;
  onClose: () => void;
}

/** Asks for the range, then says what happened. Each opening starts anew. */
export function ReplayDialog({ open, ...rest }: Props & { open: boolean }): ReactNode {
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      title="Replay deliveries"
      description="Each delivery starts again with its first attempt, under the same event ID."
    >
      <Content {...rest} />
    </Dialog>
  );
}

function Content({ webhook, onClose }: Props): ReactNode {
  const [done, setDone] = useState<ReplayWebhookMutation['replayWebhook'] | null>(null);
  if (done === null) return <RangeForm webhook={webhook} onDone={setDone} onClose={onClose} />;
  return (
    <>
      <p role="status">{outcome(done)}</p>
      {done.deliveries > 0 && !webhook.enabled ? (
        <p className="text-warn mt-2">The webhook is disabled: nothing is posted until you enable it.</p>
      ) : null}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}

function outcome({ deliveries, atLeast }: ReplayWebhookMutation['replayWebhook']): string {
  if (atLeast) return `The replay has started: more than ${formatNumber(deliveries)} deliveries start again.`;
  if (deliveries === 0) return 'No delivery matches, so nothing is replayed. Choose another range or status.';
  return deliveries === 1
    ? 'The replay has started: 1 delivery starts again.'
    : `The replay has started: ${formatNumber(deliveries)} deliveries start again.`;
}

function RangeForm({
  webhook,
  onDone,
  onClose,
}: Props & { onDone: (done: ReplayWebhookMutation['replayWebhook']) => void }): ReactNode {
  const [from, setFrom] = useState(() => fieldOfTime(nowMs() - DAY_MS));
  const [to, setTo] = useState('');
  const [status, setStatus] = useState('dead');
  const form = useMutationForm(ReplayWebhookDocument, ['since', 'until'], {
    additionalTypenames: ['WebhookDelivery'],
  });
  const input = () => ({
    id: webhook.id,
    since: timeOfField(from),
    ...(to !== '' && { until: timeOfField(to) }),
    ...(status !== '' && { status }),
  });
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: input() }),
        ({ replayWebhook }) => onDone(replayWebhook),
      )}
    >
      <Field label="From" hint={`In your time zone, ${timeZone()}.`} error={form.fieldError('since')}>
        <TextInput type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      <Field label="To" optional hint="Without it: until now." error={form.fieldError('until')}>
        <TextInput type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
      </Field>
      <Field label="Deliveries">
        <Select value={status} onChange={(event) => setStatus(event.target.value)} options={WHICH} />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running} disabled={from === ''}>
          Replay
        </Button>
      </DialogFooter>
    </form>
  );
}
