// The table of settings in README.md.

import { settings } from '../../core/base/config.ts';

/** A row for each setting of core/base/config.ts, but for those of tests. */
export function settingsTable(): string {
  const rows = Object.entries(settings.shape)
    .filter(([name]) => !name.startsWith('TEST_'))
    .map(([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${schema.description ?? ''} |\n`);
  return `| setting | default | what it is |\n|---|---|---|\n${rows.join('')}`;
}

// The default as one would write it; an empty cell when the setting may be absent, "required" when it may not.
function defaultOf(schema: (typeof settings.shape)[keyof typeof settings.shape]): string {
  if (!schema.safeParse(undefined).success) return 'required';
  const json = JSON.stringify(schema, (key, value: unknown) => (key === 'defaultValue' ? value : value));
  const found = /"defaultValue":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(json);
  const value = found ? (JSON.parse(found[1]!) as unknown) : '';
  return value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
