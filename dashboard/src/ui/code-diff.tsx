// What differs between two texts, line by line, with the words that changed. Loaded when the first one is shown.

import { lazy, Suspense, type ReactNode } from 'react';

import type { CodeDiffProps } from './code-editor-props.ts';
import { Skeleton } from './skeleton.tsx';

const DiffView = lazy(async () => ({ default: (await import('./code/diff-view.tsx')).DiffView }));

export function CodeDiff(props: CodeDiffProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <DiffView {...props} />
    </Suspense>
  );
}
