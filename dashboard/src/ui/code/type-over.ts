// Typing in place of a selection. Chromium would keep the colour of the old letters for the new ones, by a style attribute:
// the page's policy refuses it, and the browser complains. So the editor changes its text by itself here. The words of an
// input method stay the browser's: it does not let a page take them over.

import { EditorView } from '@codemirror/view';

/** Puts what is typed in place of the selection, past the browser's own editing. */
export const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || data === null || empty || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});
