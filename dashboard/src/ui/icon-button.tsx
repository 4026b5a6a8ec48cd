// A button that shows only an icon, with its name for those who cannot see it.

import type { ComponentProps, ReactNode } from 'react';

import { cx } from './class-names.ts';
import type { IconType } from './make-icon.ts';

/** `label` is its name, also shown as a tooltip by the browser. */
export function IconButton({
  label,
  icon: Icon,
  className,
  ...rest
}: ComponentProps<'button'> & { label: string; icon: IconType }): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'text-muted hover:bg-subtle hover:text-ink grid size-8 shrink-0 place-items-center rounded-md disabled:opacity-50',
        className,
      )}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
