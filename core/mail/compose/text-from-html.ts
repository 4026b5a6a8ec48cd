// The plain text beside an html message that came without one.

import { compile } from 'html-to-text';

/**
 * Characters of html that are turned into text; a longer html goes out alone. Gmail itself cuts at 102 KiB.
 * The conversion runs on the event loop: 0.15 ms for 2 KiB, 20 to 60 ms for 128 KiB, 0.2 s for the worst
 * nesting that was tried.
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
