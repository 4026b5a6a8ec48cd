// The variables that a Liquid text reads and does not make itself.

import type { Tree } from '@lezer/common';

/** A variable where it is read. */
interface ReadName {
  name: string;
  from: number;
  to: number;
}

const MAKERS = new Set(['for', 'tablerow', 'capture', 'increment', 'decrement']);
const WORDS = new Set(['nil', 'null', 'blank', 'empty', 'true', 'false', 'forloop', 'tablerowloop']);

/** Every place that reads a variable from outside; `text` gives what is written between two places. */
export function liquidNames(tree: Tree, text: (from: number, to: number) => string): ReadName[] {
  const made = new Set<string>();
  const read: ReadName[] = [];
  tree.iterate({
    enter({ name, from, to, node }) {
      if (name !== 'VariableName') return;
      const word = text(from, to);
      const before = node.prevSibling?.name;
      const assigned = node.parent?.name === 'AssignmentExpression' && before === undefined;
      if (assigned || (before !== undefined && MAKERS.has(before))) made.add(word);
      else if (!WORDS.has(word)) read.push({ name: word, from, to });
    },
  });
  return read.filter(({ name }) => !made.has(name));
}
