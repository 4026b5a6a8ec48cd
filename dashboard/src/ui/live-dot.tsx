// Whether a page receives live updates.

import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

/** "Live" with a green dot while connected, "Connecting" otherwise. Takes what `useLive` gives. */
export function LiveDot({ live }: { live: boolean }): ReactNode {
  return (
    <span role="status" className="text-muted inline-flex items-center gap-1.5 text-[13px]">
      <span aria-hidden="true" className={cx('size-2 rounded-full', live ? 'bg-good' : 'bg-line-strong')} />
      {live ? 'Live' : 'Connecting'}
    </span>
  );
}
