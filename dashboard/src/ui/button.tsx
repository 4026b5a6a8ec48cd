// Buttons, and links that look like them.

import { LoaderCircle } from '../gen/icons.ts';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';

import { cx } from './class-names.ts';
import type { IconType } from './make-icon.ts';

/** `primary` once per view; `danger` for what cannot be undone; `quiet` without a frame. */
type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-surface text-ink border border-line hover:bg-subtle shadow-card',
  danger: 'bg-bad text-on-bad hover:opacity-90',
  quiet: 'text-muted hover:bg-subtle hover:text-ink',
};
const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55';
const SIZES = { medium: 'h-9 px-3.5', small: 'h-7.5 px-2.5 text-[13px]' };

interface Look {
  variant?: ButtonVariant;
  size?: 'medium' | 'small';
  icon?: IconType;
}

/** A button. `busy` shows a spinner and ignores clicks. `type="submit"` must be said. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon: Icon,
  busy = false,
  type = 'button',
  className,
  children,
  disabled,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean }): ReactNode {
  const spinner = busy ? <LoaderCircle size={16} className="animate-spin" aria-hidden="true" /> : null;
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={cx(SHAPE, SIZES[size], VARIANTS[variant], className)}
    >
      {spinner ?? (Icon ? <Icon size={16} aria-hidden="true" /> : null)}
      {children}
    </button>
  );
}

/** A link to another page of the dashboard that looks like a button. */
export function ButtonLink({
  href,
  variant = 'secondary',
  size = 'medium',
  icon: Icon,
  className,
  children,
}: Look & { href: string; className?: string; children: ReactNode }): ReactNode {
  return (
    <Link href={href} className={cx(SHAPE, SIZES[size], VARIANTS[variant], className)}>
      {Icon ? <Icon size={16} aria-hidden="true" /> : null}
      {children}
    </Link>
  );
}
