// The plain text beside an html message that came without one.

import { compile, type Formatter } from 'html-to-text';

/**
 * Characters of html that are turned into text, without the images in it; a longer html goes out alone. Gmail itself cuts at
 * 102 KiB. 0.15 ms for 2 KiB, 20 to 60 ms for 128 KiB, 0.2 s for the worst nesting that was tried.
 */
export const MAX_HTML_TO_TEXT_CHARS = 128 * 1024;

// An image within the html (RFC 2397), which may be megabytes and says nothing.
const DATA_URL = /\bdata:image\/[^\s"'<>)]+/gi;

// What a style attribute says of what is there for the preview of a list of messages only (CSS 2 sections 9.2.4, 11.2).
// Not `mso-hide`, which is for Outlook alone, nor `font-size: 0`, which layouts have around what is to be seen.
const HIDES =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|opacity\s{0,9}:\s{0,9}0{0,9}(?:\.0{1,9})?\s{0,9}(?:;|!|$)|max-height\s{0,9}:\s{0,9}0(?![.\d]{0,9}[1-9]))/i;

const FORMATTERS: Record<string, Formatter> = {
  // What follows a cell in its row stands apart from it.
  cell(element, walk, builder) {
    builder.addInline(' ');
    walk(element.children, builder);
    builder.addInline(' ');
  },
  alt(element, _walk, builder) {
    builder.addInline(element.attribs['alt'] ?? '');
  },
  // What is not hidden is formatted as its name says: walked again, without the attribute that led here.
  unlessHidden(element, walk, builder) {
    const { style = '', ...others } = element.attribs;
    if (HIDES.test(style)) return;
    element.attribs = others;
    walk([element], builder);
  },
};

const LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

type Convert = (html: string) => string;
let convert: Convert | undefined;

/**
 * A readable plain text of the html, lines of 76 characters at most where words allow: rows and items on lines of their own,
 * cells apart, images as their `alt`, nothing that is hidden. Undefined when the html is too long.
 */
export function textFromHtml(html: string): string | undefined {
  const words = html.length > MAX_HTML_TO_TEXT_CHARS ? html.replace(DATA_URL, '') : html;
  if (words.length > MAX_HTML_TO_TEXT_CHARS) return undefined;
  convert ??= compile({
    wordwrap: 76,
    // Nested deeper than any layout: the walk is recursive.
    limits: { maxInputLength: MAX_HTML_TO_TEXT_CHARS, maxDepth: 96 },
    formatters: FORMATTERS,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', format: 'alt' },
      ...['tr', 'caption', 'dt', 'dd', 'li', 'legend', 'option', 'figcaption'].map((selector) => ({
        selector,
        format: 'block',
        options: LINE,
      })),
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      ...['dl', 'fieldset', 'figure'].map((selector) => ({ selector, format: 'block' })),
      ...['menu', 'dir'].map((selector) => ({ selector, format: 'unorderedList' })),
      ...['script', 'style', 'title', 'head', 'template', 'noscript', '[hidden]'].map((selector) => ({
        selector,
        format: 'skip',
      })),
      ...['display', 'visibility', 'opacity', 'max-height'].map((property) => ({
        selector: `[style*="${property}" i]`,
        format: 'unlessHidden',
      })),
    ],
  });
  return convert(words).replace(/^\n+/, ''); // of blocks that were hidden
}
