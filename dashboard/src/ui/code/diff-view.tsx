// The difference itself: lines that were taken away above those that came, unchanged stretches folded.

import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView as View } from '@codemirror/view';
import { useEffect, useRef, type ReactNode } from 'react';

import type { CodeDiffProps } from '../code-editor-props.ts';
import { languageOf } from './languages.ts';
import { SHOWN } from './setup.ts';

const CONTEXT_LINES = 3; // around a change

const LOOKS = View.theme({
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)', paddingLeft: '8px' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--good-soft)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none', textDecoration: 'underline' },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline' },
  '.cm-deletedChunk, .cm-deletedChunk *': { color: 'var(--ink)' },
  '.cm-changedLine, .cm-changedLine *': { color: 'var(--ink)' },
  '.cm-collapsedLines': {
    background: 'var(--subtle)',
    color: 'var(--muted)',
    padding: '4px 8px',
  },
  '.cm-changeGutter': { width: '4px' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-deletedLineGutter': { background: 'var(--bad)' },
});

export function DiffView({ before, after, language, label }: CodeDiffProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new View({
      parent: place.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          SHOWN,
          LOOKS,
          languageOf(language),
          EditorState.readOnly.of(true),
          View.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
          unifiedMergeView({
            original: before.replaceAll(/\r\n?/g, '\n'),
            mergeControls: false,
            collapseUnchanged: { margin: CONTEXT_LINES, minSize: CONTEXT_LINES * 2 },
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, language, label]);
  return (
    <div
      ref={place}
      className="bg-surface overflow-hidden rounded-md border text-[13px] [&_.cm-scroller]:max-h-96"
    />
  );
}
