// A field for HTML, text with variables, or JSON: highlighting, completion, problems marked in place. What it needs is
// loaded when the first one is shown. Inside a Field it gets its label, hint and error from there. Tab moves on, as in
// every other field.

import { lazy, Suspense, type ReactNode } from 'react';

import type { CodeEditorProps } from './code-editor-props.ts';
import { Skeleton } from './skeleton.tsx';

const EditorView = lazy(async () => ({ default: (await import('./code/editor-view.tsx')).EditorView }));

const HEIGHTS = { html: 'h-80', text: 'h-28', line: 'h-9', json: 'h-28' };

export function CodeEditor(props: CodeEditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton className={`${HEIGHTS[props.language]} w-full`} />}>
      <EditorView {...props} />
    </Suspense>
  );
}
