// Yes or no: a box in forms, a switch for what takes effect at once.

import { Switch as RadixSwitch } from 'radix-ui';
import { useId, type ComponentProps, type ReactNode } from 'react';

/** A box with its label at the right. */
export function CheckBox({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }): ReactNode {
  const id = useId();
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : id}
        {...rest}
        className="accent-accent mt-0.5 size-4 shrink-0"
      />
      <span>
        {label}
        {hint === undefined ? null : (
          <span id={id} className="text-muted block text-[13px]">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** A switch with its label at the left. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint === undefined ? null : (
          <p id={`${id}-hint`} className="text-muted text-[13px]">
            {hint}
          </p>
        )}
      </div>
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="bg-line-strong data-[state=checked]:bg-accent h-5.5 w-9.5 shrink-0 rounded-full p-0.5 disabled:opacity-50"
      >
        <RadixSwitch.Thumb className="bg-surface block size-4.5 rounded-full transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
    </div>
  );
}
