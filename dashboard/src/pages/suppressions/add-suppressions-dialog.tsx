// Suppressing a pasted list of addresses.

import { useState, type ReactNode } from 'react';

import { AddSuppressionsDocument } from '../../gen/pages/suppressions/suppressions.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Select, TextArea } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SUPPRESSION_REASONS, SUPPRESSION_STREAMS } from './reasons.ts';

const MOST_AT_ONCE = 1_000; // the API's limit

/** Each opening starts with an empty form. */
export function AddSuppressionsDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title="Add suppressions" width="medium">
      <AddForm onClose={onClose} />
    </Dialog>
  );
}

function AddForm({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [reason, setReason] = useState<Reason>('manual');
  const [chosen, setChosen] = useState<Stream | null>(null);
  const stream = chosen ?? (reason === 'unsubscribe' ? 'bulk' : 'all'); // the API's default
  const form = useMutationForm(AddSuppressionsDocument, ['reason', 'stream', 'emails']);
  const toast = useToast();
  const emails = addressesOf(text);
  const tooMany = emails.length > MOST_AT_ONCE;
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { emails, reason, stream } }),
        ({ addSuppressions: { suppressions } }) => {
          toast(
            suppressions.length === 1
              ? '1 address suppressed'
              : `${formatNumber(suppressions.length)} addresses suppressed`,
          );
          onClose();
        },
      )}
    >
      <Field
        label="Addresses"
        hint="One per line, or separated by commas, semicolons or spaces. Up to 1,000 at once."
        error={
          tooMany
            ? `You entered ${formatNumber(emails.length)} addresses. Add at most 1,000 at a time.`
            : errorOf(form.fieldError('emails'), form.error)
        }
      >
        <TextArea
          code
          rows={9}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={'ann@example.com\nbob@example.com'}
          autoFocus
        />
      </Field>
      <p className="text-muted text-[13px]" aria-live="polite">
        {emails.length === 1 ? '1 address' : `${formatNumber(emails.length)} different addresses`}
      </p>
      <Field label="Reason" error={form.fieldError('reason')}>
        <Select
          value={reason}
          onChange={(event) => setReason(event.target.value as Reason)}
          options={SUPPRESSION_REASONS}
        />
      </Field>
      <Field
        label="Stops"
        hint="Marketing only: campaigns and mail with an unsubscribe link. Password resets, receipts and the like are sent."
        error={form.fieldError('stream')}
      >
        <Select
          value={stream}
          onChange={(event) => setChosen(event.target.value as Stream)}
          options={SUPPRESSION_STREAMS}
        />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running} disabled={emails.length === 0 || tooMany}>
          Suppress
        </Button>
      </DialogFooter>
    </form>
  );
}

type Reason = (typeof SUPPRESSION_REASONS)[number]['value'];
type Stream = (typeof SUPPRESSION_STREAMS)[number]['value'];

// The field's error, unless the form shows the same below.
function errorOf(field: string | undefined, whole: string | null): string | undefined {
  return field === whole ? undefined : field;
}

function addressesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];
}
