// What differs between two texts, line by line, with the words that changed. Loaded when the first one is shown.

import { lazy, Suspense, type ReactNode } from 'react';

import { Skeleton } from './skeleton.tsx';

/** The properties of a CodeDiff. */
export interface CodeDiffProps {
  before: string;
  after: string;
  language: 'html' | 'text' | 'json';
  /** What the text is, for screen readers. */
  label: string;
}

const DiffView = lazy(async () => ({ default: (await import('./code/diff-view.tsx')).DiffView }));

export function CodeDiff(props: CodeDiffProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <DiffView {...props} />
    </Suspense>
  );
}
