// Where a click may lead: http and https, nothing else. Pure.

import { MAX_TOKEN_TEXT_OCTETS } from './token.ts';

const WEB = /^https?:\/\//i;
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * The target of an `href` as it goes into a Location header, or null when the link is to stay as it is: another
 * scheme, an anchor, no URL at all, or too long. Plain URLs keep their spelling.
 */
export function linkTarget(href: string): string | null {
  const text = href.trim();
  if (!WEB.test(text) || !URL.canParse(text)) return null;
  const target = PLAIN.test(text) ? text : new URL(text).href;
  return PLAIN.test(target) && target.length <= MAX_TOKEN_TEXT_OCTETS ? target : null;
}

// The named references found in URLs. Any other leaves a link as it is: better not followed than led astray.
const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' };

/** The value of an attribute without its character references; null when one of them is not known here. */
export function attributeText(value: string): string | null {
  if (!value.includes('&')) return value;
  let known = true;
  const text = value.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]*));/gi,
    (_, hex, decimal, name) => {
      if (name !== undefined) {
        const character = NAMED[name as string];
        known &&= character !== undefined;
        return character ?? '';
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
      known &&= code > 0 && code <= 0x10ffff;
      return known ? String.fromCodePoint(code) : '';
    },
  );
  return known ? text : null;
}
