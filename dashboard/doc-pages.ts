// Makes the documents of docs/ into modules that the dashboard loads: `import('../docs/x.md')` is HTML. Links between
// documents lead to their pages in the dashboard; what is not shown there stays text.

import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

import { DOCS } from './src/shell/help.ts';

const SHOWN = new Set<string>(DOCS.map(({ name }) => name));
const DOC_FILE = /^(?:docs\/)?([\w-]+)\.md(#[\w-]+)?$/;

/** The plugin for vite. */
export function docPages(): Plugin {
  return {
    name: 'doc-pages',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.md')) return null;
      return { code: `export default ${JSON.stringify(renderDoc(code))};`, map: null, moduleType: 'js' };
    },
  };
}

/** A document as HTML, without its title: the page has one. Headings have ids as code hosts make them. */
export function renderDoc(markdown: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) return '';
        return `<h${depth} id="${anchorOf(text, seen)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inside = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${href}" rel="noopener" target="_blank">${inside}</a>`;
        const page = pageOf(href);
        return page === null ? inside : `<a href="${page}">${inside}</a>`;
      },
      codespan({ text }: Tokens.Codespan) {
        const page = pageOf(text);
        const code = `<code>${escapeHtml(text)}</code>`;
        return page === null ? code : `<a href="${page}">${code}</a>`;
      },
      // What is wider than the screen is scrolled, by keyboard too.
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cell = ({ text, tokens }: Tokens.TableCell, tag: 'th' | 'td') =>
          text === '' ? '<td></td>' : `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`; // an empty header names nothing
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((one) => cell(one, tag)).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

function pageOf(text: string): string | null {
  if (/^#[\w-]+$/.test(text)) return text;
  const [, name = '', anchor = ''] = DOC_FILE.exec(text) ?? [];
  return SHOWN.has(name) ? `/docs/${name}${anchor}` : null;
}

function anchorOf(heading: string, seen: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const before = seen.get(slug) ?? 0;
  seen.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
