// What is wrong in a text: what the api said about its Liquid, variables that nobody declares, HTML that mail programs
// and readers stumble over, JSON that does not parse.

import { jsonParseLinter } from '@codemirror/lang-json';
import { forceLinting, linter, type Diagnostic } from '@codemirror/lint';
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import type { CodeEditorProps, CodeProblem } from '../code-editor-props.ts';
import { htmlProblems } from './html-problems.ts';
import { known } from './known.ts';
import { liquidNames } from './liquid-names.ts';

const WAIT_MS = 400; // after the last key: no mark flickers while one types

/** Marks the problems of a text in it. */
export function markProblems(language: CodeEditorProps['language']): Extension {
  const options = {
    delay: WAIT_MS,
    needsRefresh: (update: { startState: EditorState; state: EditorState }) =>
      update.startState.facet(known) !== update.state.facet(known),
  };
  if (language === 'json') {
    const parse = jsonParseLinter();
    return linter((view) => (view.state.doc.toString().trim() === '' ? [] : parse(view)), options);
  }
  const find = (state: EditorState) => [
    ...state.facet(known).problems.map((problem) => atPlace(state, problem)),
    ...unknownVariables(state),
    ...(language === 'html' ? htmlProblems(state.doc.toString(), syntaxTree(state)) : []),
  ];
  return [
    linter((view) => find(view.state), options),
    // The api's answer comes when typing has stopped already: it is shown at once.
    EditorView.updateListener.of((update) => {
      if (!update.docChanged && update.startState.facet(known) !== update.state.facet(known))
        forceLinting(update.view);
    }),
  ];
}

const UNKNOWN = ' is not a variable of this template';

/** The variable that a problem is about when nobody declares it, else null. */
export function unknownVariableOf(message: string): string | null {
  const at = message.indexOf(UNKNOWN);
  return at < 0 ? null : message.slice(0, at);
}

function unknownVariables(state: EditorState): Diagnostic[] {
  const names = new Set(state.facet(known).variables.map(({ name }) => name));
  return liquidNames(syntaxTree(state), (from, to) => state.sliceDoc(from, to))
    .filter(({ name }) => !names.has(name))
    .map(({ name, from, to }) => ({ from, to, severity: 'warning', message: `${name}${UNKNOWN}.` }));
}

function atPlace(state: EditorState, { line, column, message }: CodeProblem): Diagnostic {
  const { from, to } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const start = Math.min(from + column - 1, to);
  const rest = state.sliceDoc(start, to);
  const tag = /^\{\{.*?\}\}|^\{%.*?%\}|^\S+/.exec(rest)?.[0].length ?? 0;
  return { from: start, to: start + tag, severity: 'error', message };
}
