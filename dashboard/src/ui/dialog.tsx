// A dialog in front of the page. Focus stays inside, Escape closes, focus goes back to where it was.

import { X } from '../gen/icons.ts';
import { Dialog as RadixDialog } from 'radix-ui';
import { useState, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Field } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import { TextInput } from './text-input.tsx';

const WIDTHS = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-4xl' };

/** Opened and closed from outside. With `onClose` null only what is in it closes it, and the page behind it cannot be read. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  width = 'small',
  children,
}: {
  open: boolean;
  onClose: (() => void) | null;
  title: string;
  description?: ReactNode;
  width?: keyof typeof WIDTHS;
  children?: ReactNode;
}): ReactNode {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => void (!next && onClose?.())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay
          className={cx('fixed inset-0 z-50 bg-black/45', onClose === null && 'backdrop-blur-lg')}
        />
        <RadixDialog.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={cx(
            'bg-raised shadow-float fixed z-50 flex max-h-[92dvh] flex-col overflow-hidden outline-none',
            'inset-x-0 bottom-0 rounded-t-xl sm:inset-x-auto sm:bottom-auto sm:top-1/2 sm:left-1/2 sm:w-full sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl',
            WIDTHS[width],
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0">
              <RadixDialog.Title className="text-base font-semibold">{title}</RadixDialog.Title>
              {description === undefined ? null : (
                <RadixDialog.Description className="text-muted mt-1">{description}</RadixDialog.Description>
              )}
            </div>
            {onClose === null ? null : (
              <RadixDialog.Close asChild>
                <IconButton label="Close" icon={X} className="-mr-1.5" />
              </RadixDialog.Close>
            )}
          </div>
          <div className="overflow-y-auto px-5 pb-5">{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The row of buttons at the end of a dialog or form. */
export function DialogFooter({ children }: { children: ReactNode }): ReactNode {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}

/** Asks before an action that cannot be undone. `onConfirm` may return an error sentence, which is shown. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  confirmLabel,
  danger = true,
  typed,
  onConfirm,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  confirmLabel: string;
  danger?: boolean;
  /** What has to be typed first, for what harms most. */
  typed?: string;
  /** Resolves to null when done (the dialog closes), or to what went wrong. */
  onConfirm: () => Promise<string | null>;
  children: ReactNode;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [answer, setAnswer] = useState('');
  const close = () => {
    setRefusal(null);
    setAnswer('');
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    const problem = await onConfirm();
    setBusy(false);
    if (problem === null) close();
    else setRefusal(problem);
  };
  return (
    <Dialog open={open} onClose={close} title={title}>
      <div className="text-muted space-y-3">{children}</div>
      {typed === undefined ? null : (
        <div className="mt-4">
          <Field label={`Type ${typed} to confirm`}>
            <TextInput
              value={answer}
              onChange={(event) => setAnswer(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
        </div>
      )}
      <div role="alert">
        {refusal === null ? null : (
          <p className="bg-bad-soft text-bad mt-4 rounded-md px-3 py-2">{refusal}</p>
        )}
      </div>
      <DialogFooter>
        <Button onClick={close}>Cancel</Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          disabled={typed !== undefined && answer.trim() !== typed}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
