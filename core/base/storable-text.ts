// Which text the record can hold. PostgreSQL stores every character but U+0000 (SQLSTATE 22021, in JSON 22P05), and in
// JSON no half of a surrogate pair (22P02): sent there, they are an error of the statement and not of a field.

/** Whether PostgreSQL can hold this text, as text and within JSON. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** What a pattern can say of it: no JSON from outside has half a surrogate pair but as an escape. */
export const STORABLE_PATTERN = '^[^\\u0000]*$';

/** What is said of a text that is not storable. */
export const NOT_STORABLE = 'has a character that is not allowed (U+0000 or half a surrogate pair)';

/** Where in a JSON value the first such text is (`input.emails[2]`), or null. Looks at each node once, without recursion. */
export function findUnstorable(value: unknown): string | null {
  const open = [{ path: '', value }];
  for (let node = open.pop(); node; node = open.pop()) {
    const { path } = node;
    if (typeof node.value === 'string' && !isStorable(node.value)) return path;
    if (typeof node.value !== 'object' || node.value === null) continue;
    const within = Array.isArray(node.value)
      ? (name: string) => `${path}[${name}]`
      : (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const [name, below] of Object.entries(node.value)) {
      if (!isStorable(name)) return path;
      open.push({ path: within(name), value: below });
    }
  }
  return null;
}
