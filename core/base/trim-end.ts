// A pattern such as /x+$/ takes quadratic time on a run of x that does not end the text.

/** The text without any of these characters at its end. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
