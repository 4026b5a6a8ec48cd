// The editor itself, with a list of what is wrong below it: marks alone are found by the mouse only.

import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { forEachDiagnostic, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView as View, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef, useState, type ReactNode } from 'react';

import type { CodeEditorProps } from '../code-editor-props.ts';
import { cx } from '../class-names.ts';
import { useField } from '../field.tsx';
import { known } from './known.ts';
import { languageOf } from './languages.ts';
import { markProblems, unknownVariableOf } from './problems.ts';
import { ProblemList, type ShownProblem } from './problem-list.tsx';
import { SHOWN, TYPED } from './setup.ts';

const BOX =
  'bg-surface border-line-strong/60 shadow-card focus-within:border-accent focus-within:outline-accent/30 overflow-hidden rounded-md border text-[13px] focus-within:outline-2 max-sm:text-[16px]';
const HEIGHTS = {
  html: '[&_.cm-scroller]:max-h-[34rem] [&_.cm-scroller]:min-h-80',
  text: '[&_.cm-scroller]:max-h-96 [&_.cm-scroller]:min-h-28',
  line: '[&_.cm-content]:!py-[7px]',
  json: '[&_.cm-scroller]:max-h-96 [&_.cm-scroller]:min-h-28',
};

export function EditorView(props: CodeEditorProps): ReactNode {
  const { value, language, variables = [], problems = [], onDeclare, ref } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [parts] = useState(() => ({ known: new Compartment(), labels: new Compartment() }));
  const [shown, setShown] = useState<readonly ShownProblem[]>([]);
  const field = useField();
  const knows = JSON.stringify({ variables, problems });
  const labels = JSON.stringify(field);

  useEffect(() => {
    const made = new View({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          parts.known.of([]),
          parts.labels.of([]),
          languageOf(language),
          editing(language),
          View.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.isUserEvent('set')))
              latest.current.onChange(update.state.doc.toString());
            setShown((last) => changed(last, problemsIn(update.state)));
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [language, parts]);

  useEffect(() => {
    view.current?.dispatch({
      effects: parts.known.reconfigure(known.of(JSON.parse(knows) as { variables: []; problems: [] })),
    });
  }, [knows, parts, language]);

  useEffect(() => {
    const wiring = JSON.parse(labels) as typeof field;
    const label = wiring.id === undefined ? null : document.getElementById(`${wiring.id}-label`);
    const focus = () => view.current?.focus();
    label?.addEventListener('click', focus);
    const attributes: Record<string, string> = { 'aria-multiline': String(language !== 'line') };
    if (label) attributes['aria-labelledby'] = label.id;
    for (const [name, text] of Object.entries(wiring)) attributes[name] = String(text);
    view.current?.dispatch({ effects: parts.labels.reconfigure(View.contentAttributes.of(attributes)) });
    return () => label?.removeEventListener('click', focus);
  }, [labels, parts, language]);

  // The page changed the text: a version was restored, the draft was thrown away.
  useEffect(() => {
    const { state } = view.current!;
    if (state.doc.toString() === value.replaceAll(/\r\n?/g, '\n')) return;
    view.current!.dispatch({
      changes: { from: 0, to: state.doc.length, insert: value },
      userEvent: 'set',
    });
  }, [value]);

  useImperativeHandle(ref, () => ({ insert: (text) => insertText(view.current!, text) }), []);

  return (
    <div>
      <div ref={place} className={cx(BOX, HEIGHTS[language])} />
      <ProblemList
        problems={shown}
        onShow={({ from, to }) => {
          view.current?.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
          view.current?.focus();
        }}
        onDeclare={onDeclare}
      />
    </div>
  );
}

function editing(language: CodeEditorProps['language']): Extension {
  return [
    SHOWN,
    TYPED,
    autocompletion({ icons: false }),
    keymap.of([{ key: 'Tab', run: acceptCompletion }, ...completionKeymap, ...lintKeymap]),
    markProblems(language),
    language === 'line' ? ONE_LINE : language === 'html' ? lineNumbers() : [],
  ];
}

// A line break that is typed does nothing; one that is pasted becomes a blank.
const ONE_LINE = EditorState.transactionFilter.of((transaction) => {
  if (transaction.newDoc.lines === 1) return transaction;
  const text = onOneLine(transaction.newDoc.toString());
  const start = transaction.startState;
  if (text.trim() === start.doc.toString().trim()) return [];
  return { changes: { from: 0, to: start.doc.length, insert: text }, selection: { anchor: text.length } };
});

function onOneLine(text: string): string {
  const [first, ...others] = text.split('\n');
  return others.reduce((line, next) => `${line.trimEnd()} ${next.trimStart()}`, first!);
}

function insertText(view: View, text: string): void {
  const { main } = view.state.selection;
  const source = view.state.doc.toString();
  const untouched = !view.hasFocus && main.from === 0 && main.to === 0;
  const end = source.toLowerCase().lastIndexOf('</body>');
  const from = untouched ? (end < 0 ? source.length : end) : main.from;
  const to = untouched ? from : main.to;
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
  view.focus();
}

function problemsIn(state: EditorState): ShownProblem[] {
  const all: ShownProblem[] = [];
  forEachDiagnostic(state, ({ severity, message }, from, to) => {
    const line = state.doc.lineAt(from);
    const unknown = unknownVariableOf(message);
    all.push({ from, to, line: line.number, column: from - line.from + 1, severity, message, unknown });
  });
  return all;
}

// The same array as long as nothing differs, so that typing renders nothing of the page's again.
function changed(last: readonly ShownProblem[], next: readonly ShownProblem[]): readonly ShownProblem[] {
  return JSON.stringify(last) === JSON.stringify(next) ? last : next;
}
