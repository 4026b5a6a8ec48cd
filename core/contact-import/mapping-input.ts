// What the columns of a file hold, as callers say it.

import { z } from 'zod';

import { attributeNameProblem, MAX_ATTRIBUTES } from '../contact/contact.ts';
import { IMPORT_FIELDS, type ImportField } from './column-names.ts';
import type { CsvColumn, Mapping } from './csv-layout.ts';

const ATTRIBUTE = 'attribute:';
const FIELDS: readonly string[] = IMPORT_FIELDS;
const MAX_MAPPING_CHARS = 65_536; // as many as a header row

/** What a column holds, as callers write it: a field, `attribute:NAME` or `ignore`. */
export function targetOf(column: CsvColumn): string {
  if ('field' in column) return column.field;
  return 'attribute' in column ? `${ATTRIBUTE}${column.attribute}` : 'ignore';
}

function columnOf(target: string): CsvColumn | string {
  if (FIELDS.includes(target)) return { field: target as ImportField };
  if (target === 'ignore') return { ignored: true };
  if (!target.startsWith(ATTRIBUTE)) return `must be one of ${FIELDS.join(', ')}, attribute:NAME, ignore`;
  const attribute = target.slice(ATTRIBUTE.length);
  const problem = attributeNameProblem(attribute);
  return problem ?? { attribute };
}

/** A mapping as JSON text, as it stands in a query. */
export const mappingInput = z
  .string()
  .max(MAX_MAPPING_CHARS)
  .transform((text, context): Mapping => {
    const fail = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      return fail('must be a JSON object');
    }
    const checked = z.record(z.string(), z.string()).safeParse(given);
    if (!checked.success) return fail('must be a JSON object of column names and what they hold');
    const mapping = new Map<string, CsvColumn>();
    for (const [name, target] of Object.entries(checked.data)) {
      const column = columnOf(target);
      if (typeof column === 'string') return fail(`for ${name} ${column}`);
      mapping.set(name, column);
    }
    return mapping.size > MAX_ATTRIBUTES ? fail(`must have at most ${MAX_ATTRIBUTES} columns`) : mapping;
  })
  .meta({
    description:
      'a JSON object: column name → a field (`email`, `first_name`, …), `attribute:NAME` or `ignore`. Columns that it ' +
      'leaves out are read by their names',
    examples: ['{"Mail":"email","Kunde":"attribute:customer","Notiz":"ignore"}'],
  });
