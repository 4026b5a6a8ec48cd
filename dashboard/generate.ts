// Makes typed documents from the operations of the pages: `src/pages/keys/api-keys.graphql` becomes
// `src/gen/pages/keys/api-keys.ts`. The schema is the api's own, so that a page that asks for what is not there does
// not compile. `src/gen/icons.ts` has the icons (icons.ts). `--check` only compares. It reports each operation that does not fit, and writes the others.

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, printSchema, validate, type DocumentNode, type GraphQLSchema } from 'graphql';

import { buildSchema } from '../api/graphql/schema.ts';
import { importTool } from '../local/tools/tools.ts';
import { makeIcons } from './icons.ts';

/** The part of @graphql-codegen/core that is used here. */
interface Codegen {
  codegen(options: {
    filename: string;
    schema: DocumentNode;
    documents: { location: string; document: DocumentNode }[];
    config: typeof CONFIG;
    plugins: Record<string, object>[];
    pluginMap: Record<string, unknown>;
  }): Promise<string>;
}

const SOURCES = join(import.meta.dirname, 'src');
const GENERATED = join(SOURCES, 'gen');
const HEADER =
  '// Made by `npm run dashboard:types` from the .graphql file of the same name. Do not edit.\n\n';
const HEADER_OF_ICONS = '// Made by `npm run dashboard:types` from lucide-react. Do not edit.\n\n';
const CONFIG = {
  useTypeImports: true,
  skipTypename: true,
  inlineFragmentTypes: 'combine',
  strictScalars: true,
  arrayInputCoercion: false,
  dedupeFragments: true,
  scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
};

const { codegen } = await importTool<Codegen>('@graphql-codegen/core');
const typedDocumentNode = await importTool<object>('@graphql-codegen/typed-document-node');
const typescriptOperations = await importTool<object>('@graphql-codegen/typescript-operations');
const check = process.argv.includes('--check');
const problems: string[] = [];
const schema = buildSchema();
const wanted = new Map<string, string>();
for (const file of await filesBelow(SOURCES, '.graphql')) {
  const target = join('gen', file.replace(/\.graphql$/, '.ts'));
  const text = await generate(schema, file);
  if (text !== null) wanted.set(target, text);
}
const sources = (await filesBelow(SOURCES, '.ts')).concat(await filesBelow(SOURCES, '.tsx'));
wanted.set('gen/icons.ts', HEADER_OF_ICONS + (await makeIcons(SOURCES, sources)));
const present = (await filesBelow(GENERATED, '.ts')).map((file) => join('gen', file));
for (const file of present) {
  if (wanted.has(file)) continue;
  if (check) problems.push(`${file} has no .graphql file, or one that does not fit`);
  else if (problems.length === 0) await rm(join(SOURCES, file));
}
for (const [file, text] of wanted) await put(file, text);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`${wanted.size} files of src/gen ${check ? 'are up to date' : 'written'}`);

async function generate(graphqlSchema: GraphQLSchema, file: string): Promise<string | null> {
  const document = await readDocument(file);
  if (document === null) return null;
  const errors = validate(graphqlSchema, document);
  for (const error of errors) {
    problems.push(`${file}:${error.locations?.[0]?.line ?? 1}: ${error.message}`);
  }
  if (errors.length > 0) return null;
  return makeTypes(graphqlSchema, file, document).catch((error: unknown) => {
    problems.push(`${file}: ${(error as Error).message}`);
    return null;
  });
}

async function makeTypes(
  graphqlSchema: GraphQLSchema,
  file: string,
  document: DocumentNode,
): Promise<string> {
  const text = await codegen({
    filename: file.replace(/\.graphql$/, '.ts'),
    schema: parse(printSchema(graphqlSchema)),
    documents: [{ location: file, document }],
    config: CONFIG,
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  return HEADER + text;
}

async function readDocument(file: string): Promise<DocumentNode | null> {
  try {
    return parse(await readFile(join(SOURCES, file), 'utf8'));
  } catch (error) {
    problems.push(`${file}: ${(error as Error).message}`);
    return null;
  }
}

async function put(file: string, text: string): Promise<void> {
  const path = join(SOURCES, file);
  const old = await readFile(path, 'utf8').catch(() => null);
  if (old === text) return;
  if (check) return void problems.push(`${file} is not what it is made from: run npm run dashboard:types`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function filesBelow(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).sort();
}
