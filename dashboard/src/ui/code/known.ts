// What an editor knows beside its text: the variables, and the problems that the api found.

import { Facet } from '@codemirror/state';

import type { CodeProblem, KnownVariable } from '../code-editor-props.ts';

/** What the page told the editor. */
export interface Known {
  variables: readonly KnownVariable[];
  problems: readonly CodeProblem[];
}

/** Read by completion and by the marking of problems; the last one counts. */
export const known = Facet.define<Known, Known>({
  combine: (all) => all[0] ?? { variables: [], problems: [] },
});
