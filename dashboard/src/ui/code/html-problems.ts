// HTML that readers and mail programs stumble over: pictures without a text, elements that are not closed. Liquid is
// blanked out first, so that places stay. What is opened or closed inside of an `if` or a loop is not judged: which
// of its branches is written, is known when the mail is rendered.

import { htmlLanguage } from '@codemirror/lang-html';
import type { Diagnostic } from '@codemirror/lint';
import type { SyntaxNodeRef, Tree } from '@lezer/common';

const LIQUID = new Set(['Interpolation', 'Tag', 'EndTag', 'Comment', 'RawDirective']);

// Their end may be left out (HTML, 13.1.2.4), or they have none.
const NEED_NO_END = new Set(
  (
    'html head body p li dt dd option optgroup thead tbody tfoot tr td th colgroup caption rt rp ' +
    'area base br col embed hr img input link meta source track wbr'
  ).split(' '),
);

/** The problems of an HTML text whose Liquid was parsed into `liquid`. */
export function htmlProblems(source: string, liquid: Tree): Diagnostic[] {
  const { blanked, blocks } = withoutLiquid(source, liquid);
  const inBlock = (at: number) => blocks.some(([from, to]) => at >= from && at < to);
  const found: Diagnostic[] = [];
  htmlLanguage.parser.parse(blanked).iterate({
    enter(node) {
      if (node.name === 'OpenTag' || node.name === 'SelfClosingTag') {
        if (tagNameOf(node, blanked) === 'img' && !hasAlt(node, blanked))
          found.push(warn(node, 'The image has no alt text. Write what it shows, or alt="" for decoration.'));
      } else if (node.name === 'Element') {
        const { firstChild: open, lastChild: last } = node.node;
        if (open?.name !== 'OpenTag' || last?.name === 'CloseTag' || inBlock(open.from)) return;
        const name = tagNameOf(open, blanked);
        if (!NEED_NO_END.has(name)) found.push(warn(open, `<${name}> is not closed.`));
      } else if (node.name === 'MismatchedCloseTag' && !inBlock(node.from)) {
        found.push(warn(node, `${blanked.slice(node.from, node.to)} closes nothing.`));
      }
    },
  });
  return found;
}

function withoutLiquid(source: string, liquid: Tree) {
  const blocks: [number, number][] = [];
  let blanked = '';
  let done = 0;
  liquid.iterate({
    enter({ name, from, to }) {
      if (name.endsWith('Directive')) blocks.push([from, to]);
      if (!LIQUID.has(name)) return true;
      blanked += source.slice(done, from) + source.slice(from, to).replaceAll(/[^\n]/g, ' ');
      done = to;
      return false;
    },
  });
  return { blanked: blanked + source.slice(done), blocks };
}

function tagNameOf(tag: Pick<SyntaxNodeRef, 'from' | 'to'>, source: string): string {
  return /^<\s*([\w-]+)/.exec(source.slice(tag.from, tag.to))?.[1]?.toLowerCase() ?? '';
}

function hasAlt({ node }: SyntaxNodeRef, source: string): boolean {
  return node.getChildren('Attribute').some((one) => /^alt(?![\w-])/i.test(source.slice(one.from, one.to)));
}

function warn({ from, to }: { from: number; to: number }, message: string): Diagnostic {
  return { from, to, severity: 'warning', message };
}
