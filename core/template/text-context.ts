// The variables of one rendering, in which `.size` of a text counts characters: liquidjs counts UTF-16 units, two for an emoji.

import { Context } from 'liquidjs';

/** As liquidjs reads variables, but for the size of texts. */
export class TextContext extends Context {
  override readProperty(...[from, key]: Parameters<Context['readProperty']>): unknown {
    const text: unknown = from;
    if (typeof text === 'string' && key === 'size') return countCharacters(text);
    return super.readProperty(from, key) as unknown;
  }
}

/** How many characters (code points, as Ruby counts) a text has. */
export function countCharacters(text: string): number {
  let units = 0;
  for (let at = 0; at < text.length; at += 1) if (isPair(text, at)) units += 1;
  return text.length - units;
}

/** The first character of a text, or the last; empty for an empty text. */
export function characterAt(text: string, which: 'first' | 'last'): string {
  const at = which === 'first' ? 0 : text.length - 1 - (isPair(text, text.length - 2) ? 1 : 0);
  return text.length === 0 ? '' : String.fromCodePoint(text.codePointAt(at)!);
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
