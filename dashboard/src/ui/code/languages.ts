// Liquid in HTML, Liquid in plain text, and JSON. What is offered while one types is what the api renders:
// `include` and `render` are not (docs/templates.md).

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { closePercentBrace, liquid, liquidCompletionSource } from '@codemirror/lang-liquid';
import { LanguageSupport, StreamLanguage, syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

import type { CodeEditorProps } from '../code-editor-props.ts';
import { known } from './known.ts';

const REFUSED = new Set(['include', 'render', 'with', 'as']);
const PROSE = new Set(['Text', 'Template', 'RawText', 'CommentText']);
const CLOSED_BEFORE = ')]}:;><'; // a bracket that is typed in front of one of these gets its twin
const PLAIN = new LanguageSupport(
  StreamLanguage.define({
    token: (stream) => {
      stream.skipToEnd();
      return null;
    },
  }),
);

/** The extensions of a language. */
export function languageOf(language: CodeEditorProps['language']): Extension {
  if (language === 'json') return json();
  const base = language === 'html' ? html() : PLAIN;
  const { language: liquidOnBase } = liquid({ base });
  const brackets = language === 'html' ? ['{', '[', '(', '"'] : ['{'];
  const closeBrackets = { brackets, before: CLOSED_BEFORE };
  return [
    liquidOnBase,
    base.support,
    closePercentBrace,
    liquidOnBase.data.of({ autocomplete: completeLiquid, closeBrackets }),
    base.language.data.of({ closeBrackets }), // in the words around Liquid
  ];
}

/** Offers variables, tags and filters where Liquid is written, nothing in the words around it. */
export function completeLiquid(context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  if (PROSE.has(syntaxTree(state).resolve(pos, -1).name)) return null;
  const variables = state
    .facet(known)
    .variables.map(({ name, detail }): Completion => ({ label: name, detail, type: 'variable', boost: 1 }));
  const found = liquidCompletionSource({ variables })(context);
  return found && { ...found, options: found.options.filter(({ label }) => !REFUSED.has(label)) };
}
