// The table of header fields in docs/raw.md.

import { HEADER_FIELDS } from '../../core/mail/header-fields.ts';

const WORDS = { kept: 'kept', removed: 'removed', refused: 'refused', verified_domain: 'see below' } as const;

/** A row for each group of fields of core/mail/header-fields.ts that are treated alike for the same reason. */
export function headerTable(): string {
  const groups = Map.groupBy(
    HEADER_FIELDS,
    ({ json, raw, why }) => `${WORDS[json]} | ${WORDS[raw]} | ${why}`,
  );
  const rows = [...groups].map(([rest, fields]) => `| ${fields.map(nameOf).join(', ')} | ${rest} |\n`);
  return `| field | in \`headers\` | in ready-made mail | why |\n|---|---|---|---|\n${rows.join('')}`;
}

const ACRONYMS: ReadonlySet<string> = new Set(
  'api arc cfbl dkim id mc mime mj msys pm ses smtpapi spf'.split(' '),
);

function nameOf({ name }: (typeof HEADER_FIELDS)[number]): string {
  const words = name
    .split('-')
    .map((word) =>
      ACRONYMS.has(word) ? word.toUpperCase() : word.replace(/^./, (first) => first.toUpperCase()),
    );
  return `\`${words.join('-')}${name.endsWith('-') ? '…' : ''}\``;
}
