// The plain text beside an html message that came without one.

import { compile } from 'html-to-text';

/**
 * Characters of html that are turned into text; a longer html goes out alone. Gmail itself cuts at 102 KiB,
 * and the conversion costs about 10 ms per 100 KiB on the event loop.
 */
export const MAX_HTML_TO_TEXT_CHARS = 128 * 1024;

type Convert = (html: string) => string;
let convert: Convert | undefined;

/**
 * A readable plain text of the html, lines of 76 characters at most where words allow; undefined when it is
 * too long.
 */
export function textFromHtml(html: string): string | undefined {
  if (html.length > MAX_HTML_TO_TEXT_CHARS) return undefined;
  convert ??= compile({
    wordwrap: 76,
    // Nested deeper than any layout: the walk is recursive.
    limits: { maxInputLength: MAX_HTML_TO_TEXT_CHARS, maxDepth: 64 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ],
  });
  return convert(html);
}
