// The picture and the list of the tables in docs/data-model.md, made from core/db/schema/: what a row is says the doc
// comment of the table, what a group of tables is says the top of its file.

import { getTableName } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadTables, SCHEMA_FOLDER } from '../../core/db/tables.ts';

type Files = Awaited<ReturnType<typeof loadTables>>;

/** A picture of all tables, then a list and a picture with columns for each file of the schema. */
export async function dataModel(): Promise<string> {
  const files = await loadTables();
  const lines = [...files].flatMap(([file, tables]) =>
    Object.values(tables).flatMap((table) => drawLines(files, file, table)),
  );
  const overview = lines.filter((line) => !line.includes(' tenants '));
  const chapters = [...files.keys()].map((file) => describeFile(files, file));
  return `\`\`\`mermaid\nerDiagram\n  direction LR\n${overview.join('')}\`\`\`\n\n${chapters.join('\n')}`;
}

function describeFile(files: Files, file: string): string {
  const source = readFileSync(join(SCHEMA_FOLDER, file), 'utf8');
  const place = (name: string) => source.indexOf(`export const ${name} =`);
  const tables = Object.entries(files.get(file)!).sort(([a], [b]) => place(a) - place(b));
  const rows = tables.map(
    ([name, table]) => `| \`${getTableName(table)}\` | ${docComment(source, name)} |\n`,
  );
  const drawn = tables.map(([, table]) => drawTable(table) + drawLines(files, file, table).join(''));
  return `## ${file.replace('.ts', '')}

${header(source)}

| table | a row is |
|---|---|
${rows.join('')}
\`\`\`mermaid
erDiagram
${drawn.join('')}\`\`\`
`;
}

// The first paragraph of the comment at the top of a file.
function header(source: string): string {
  const lines = source.split('\n');
  const paragraph = lines.slice(
    0,
    lines.findIndex((line) => !/^\/\/ ./.test(line)),
  );
  return paragraph.map((line) => line.slice(3)).join(' ');
}

function docComment(source: string, name: string): string {
  const comment = new RegExp(`/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\nexport const ${name} =`).exec(source);
  if (!comment) throw new Error(`core/db/schema/: ${name} has no doc comment`);
  return comment[1]!.replaceAll(/\n \*/g, ' ').replaceAll(/\s+/g, ' ').trim();
}

function drawTable(table: PgTable): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
  const lines = columns.map((column) => {
    const key = column.primary || keys.has(column.name) ? ' PK' : '';
    return `    ${typeName(column)} ${column.name}${key}${column.notNull ? '' : ' "or null"'}\n`;
  });
  return `  ${name} {\n${lines.join('')}  }\n`;
}

// Mermaid accepts one word as a type.
function typeName(column: PgColumn): string {
  return column.getSQLType().replace(/^timestamp.*/, 'timestamptz');
}

// A solid line is a foreign key; a dotted one is an id that only its name (`domain_id`) says the table of.
function drawLines(files: Files, file: string, table: PgTable): string[] {
  const { name, columns, foreignKeys } = getTableConfig(table);
  const keys = new Map(
    foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return [columns[0]!.name, getTableName(foreignTable)];
    }),
  );
  return columns.flatMap((column) => {
    const target = keys.get(column.name) ?? namedTable(files, file, column.name);
    if (target === undefined || target === name) return [];
    const line = keys.has(column.name) ? '--' : '..';
    return [`  ${target} ${column.notNull ? '||' : '|o'}${line}o{ ${name} : ${column.name}\n`];
  });
}

// The table that `<noun>_id` means: one that ends in the noun, in this file or one that it imports, else the noun's own.
// tenant_id is everywhere and drawn only where it is a key.
function namedTable(files: Files, file: string, column: string): string | undefined {
  const noun = /^([a-z]+)_id$/.exec(column)?.[1];
  if (noun === undefined || noun === 'tenant') return undefined;
  const source = readFileSync(join(SCHEMA_FOLDER, file), 'utf8');
  const nearby = [file, ...source.matchAll(/from '\.\/(\w+\.ts)'/g).map((match) => match[1]!)];
  const names = (one: string) => Object.values(files.get(one) ?? {}).map((table) => getTableName(table));
  return (
    nearby.flatMap(names).find((name) => new RegExp(`(^|_)${noun}(s|es)$`).test(name)) ??
    [...files.keys()].flatMap(names).find((name) => new RegExp(`^${noun}(s|es)$`).test(name))
  );
}
