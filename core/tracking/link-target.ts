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
