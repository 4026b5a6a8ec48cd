// Grey shapes while something is read.

import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

/** One bar; its size by classes. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={cx('bg-subtle block h-4 animate-pulse rounded', className)} />;
}

/** A whole page while its code or data comes. */
export function PageSkeleton(): ReactNode {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="mb-7 h-7 w-48" />
      <Skeleton className="mb-3 h-24 w-full rounded-lg" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  );
}
