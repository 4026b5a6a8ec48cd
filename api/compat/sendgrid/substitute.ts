// SendGrid's substitutions: texts in subject and content that stand for a recipient's own. What a substitution brings in
// is not searched again, so that a result is never larger than it says.

// Characters of a result: more than a message may have.
const MAX_RESULT_CHARS = 5 * 1024 * 1024;

/** The text with the substitutions made, or why it cannot be. */
export type Substituted = { ok: true; text: string } | { ok: false; reason: string };

/** Replaces every name by its value, the longest name first where several begin at one place. */
export function substitute(text: string, values: ReadonlyMap<string, string>): Substituted {
  if (values.size === 0) return { ok: true, text };
  const names = [...values.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(
    names.map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'),
    'g',
  );
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const { 0: name, index } of text.matchAll(pattern)) {
    add(text.slice(from, index));
    add(values.get(name) ?? '');
    from = index + name.length;
    if (length > MAX_RESULT_CHARS) return { ok: false, reason: 'make the content larger than 5 MiB' };
  }
  add(text.slice(from));
  return { ok: true, text: parts.join('') };
}

/** The substitutions as variables of a template: the names without what encloses them. Null when one is no name. */
export function toVariables(substitutions: Record<string, string>): Record<string, string> | null {
  const variables = Object.entries(substitutions).map(([key, value]) => {
    const name = /^[^\p{L}\p{N}_]*([\p{L}_][\p{L}\p{N}_]*)[^\p{L}\p{N}_]*$/u.exec(key)?.[1];
    return [name, value] as const;
  });
  if (variables.some(([name]) => name === undefined)) return null;
  return Object.fromEntries(variables) as Record<string, string>;
}
