// What a code editor and a difference are given; apart from the components, for those who only name it.

import type { Ref } from 'react';

/** A variable that is offered while one types, and that is not marked as unknown. */
export interface KnownVariable {
  name: string;
  /** A few words beside the name in the list. */
  detail: string;
}

/** A problem that the api found, at a place counted from 1. */
export interface CodeProblem {
  line: number;
  column: number;
  message: string;
}

/** What the page can do with an editor beside changing its value. */
export interface CodeEditorHandle {
  /** Puts text in place of the selection; where nobody set one, before `</body>` or at the end. */
  insert(text: string): void;
}

/** The properties of a CodeEditor. */
export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** `html` and `text` are Liquid templates, `line` is one of a single line, such as a subject. */
  language: 'html' | 'text' | 'line' | 'json';
  variables?: readonly KnownVariable[];
  problems?: readonly CodeProblem[];
  /** Offered at an unknown variable: make it one of the known ones. */
  onDeclare?: (name: string) => void;
  ref?: Ref<CodeEditorHandle>;
}

/** The properties of a CodeDiff. */
export interface CodeDiffProps {
  before: string;
  after: string;
  language: 'html' | 'text' | 'json';
  /** What the text is, for screen readers. */
  label: string;
}
