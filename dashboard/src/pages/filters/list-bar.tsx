// The line between the filters and the rows of a list.

import type { ReactNode } from 'react';

/** What belongs to the whole list, at the right: its total, its export. */
export function ListBar({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-end gap-3 border-b px-5 py-1.5">
      {children}
    </div>
  );
}
