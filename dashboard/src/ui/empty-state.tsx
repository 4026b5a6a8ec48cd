// Shown in place of an empty list.

import { Inbox } from '../gen/icons.ts';
import type { ReactNode } from 'react';
import type { IconType } from './make-icon.ts';

/** Says what is missing and what to do next, with a button for it. */
export function EmptyState({
  icon: Icon = Inbox,
  title,
  action,
  children,
}: {
  icon?: IconType;
  title: string;
  action?: ReactNode;
  /** One or two sentences: what this is, what to do next. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="px-6 py-14 text-center">
      <span className="bg-subtle text-muted mx-auto grid size-11 place-items-center rounded-full">
        <Icon size={20} aria-hidden="true" />
      </span>
      <p className="mt-4 font-semibold">{title}</p>
      {children === undefined ? null : <div className="text-muted mx-auto mt-1 max-w-md">{children}</div>}
      {action === undefined ? null : <div className="mt-5 flex justify-center gap-2">{action}</div>}
    </div>
  );
}
