// What every editor and every difference looks like and is operated by. Colours are the page's own names, so that both
// themes hold; the style element of the library carries the page's nonce, which its policy asks for.

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import { typeOver } from './type-over.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const LOOKS = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--default-mono-font-family, ui-monospace, Menlo, Consolas, monospace)' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: '0 8px 28px var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-diagnostic': { padding: '6px 10px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--warn)' },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--bad)' },
  '.cm-lintPoint-warning::after': { borderBottomColor: 'var(--warn)' },
});

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.tagName, tags.angleBracket], color: 'var(--note)' },
    { tag: [tags.attributeName, tags.propertyName], color: 'var(--warn)' },
    { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
    { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'var(--muted)' },
    { tag: [tags.number, tags.bool, tags.atom, tags.null], color: 'var(--note)' },
    {
      tag: [tags.brace, tags.keyword, tags.controlKeyword, tags.definitionKeyword],
      color: 'var(--accent-strong)',
    },
    { tag: [tags.variableName], color: 'var(--accent-strong)', fontWeight: '600' },
    { tag: [tags.function(tags.variableName)], color: 'var(--accent)' },
  ]),
);

/** How code and differences are shown. Control characters are visible: no text hides its direction. */
export const SHOWN: Extension = [
  EditorView.cspNonce.of(nonce),
  EditorView.lineWrapping,
  highlightSpecialChars(),
  LOOKS,
  COLOURS,
];

/** How code is typed. Tab is left to the browser, which moves to the next field. */
export const TYPED: Extension = [
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  typeOver,
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
];
