// Finds the links of an HTML message and puts others in their place, touching nothing else. Not a parser of all HTML:
// what mail programs would not follow (comments, styles, scripts) is stepped over, and what is odd stays as it is.
// Linear in the length of the HTML.

import { attributeText, linkTarget } from './link-target.ts';

/** The URL to put in place of a link's target; null leaves the link as it is. */
export type Replace = (target: string) => string | null;

const TAG_NAME = /[a-zA-Z][^\s/>]*/y;
const ATTRIBUTE = /([^\s"'<>/=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
const RAW_TEXT = new Set(['style', 'script', 'title', 'textarea', 'xmp']);
const LINKS = new Set(['a', 'area']);
// A link costs about 8 µs: more of them than any newsletter has would hold up the mail of others. The rest stay.
const MAX_LINKS = 2_000;

/** An author's wish that a link stays as it is. */
const OPT_OUT = 'data-no-track';

/** The HTML with the `href` of every web link replaced. */
export function rewriteLinks(html: string, replace: Replace): string {
  const out: string[] = [];
  let links = 0;
  let done = 0; // up to here the input is in `out`
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOf(html, '-->', at + 4);
      continue;
    }
    const name = match(TAG_NAME, html, at + 1)?.[0].toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    const tag = readTag(html, at + 1 + name.length);
    const href = LINKS.has(name) && !tag.optedOut ? tag.href : null;
    const text = href && attributeText(href.value);
    const target = text ? linkTarget(text) : null;
    const other = target === null || links >= MAX_LINKS ? null : replace(target);
    if (href && other !== null) {
      links += 1;
      out.push(html.slice(done, href.from), `href="${other}"`);
      done = href.to;
    }
    at = RAW_TEXT.has(name) ? endOfRawText(html, name, tag.end) : tag.end;
  }
  out.push(html.slice(done));
  return out.join('');
}

interface Href {
  /** Where the attribute begins and ends, its name included. */
  from: number;
  to: number;
  value: string;
}

// Reads attributes up to the `>` that ends the tag. Of two `href` the first counts, as in browsers.
function readTag(html: string, start: number): { end: number; href: Href | null; optedOut: boolean } {
  let href: Href | null = null;
  let optedOut = false;
  let at = start;
  while (at < html.length && html[at] !== '>') {
    const attribute = match(ATTRIBUTE, html, at);
    if (!attribute) {
      at += 1;
      continue;
    }
    const [text, name = '', double, single, bare] = attribute;
    const value = double ?? single ?? bare;
    if (name.toLowerCase() === 'href' && value !== undefined && !href)
      href = { from: at, to: at + text.length, value };
    if (name.toLowerCase() === OPT_OUT) optedOut = true;
    at += text.length;
  }
  return { end: Math.min(at + 1, html.length), href, optedOut };
}

function endOfRawText(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

function endOf(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at < 0 ? html.length : at + what.length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
