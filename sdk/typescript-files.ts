// The generated part of the TypeScript client: the types by openapi-typescript, and where each operation is.

import { importTool } from '../local/tools/tools.ts';
import { operationsOf, type SdkDocument } from './document.ts';

/** The part of openapi-typescript that is used here; `unknown` is its syntax tree. */
interface OpenapiTypescript {
  default(document: unknown, options: { emptyObjectsUnknown: boolean }): Promise<unknown>;
  astToString(tree: unknown): string;
}

const FOLDER = 'sdk/typescript/src/gen';
const HEADER = '// Made by `npm run sdk` from the OpenAPI document. Do not edit.\n\n';

/** Path and text of each file. */
export async function typescriptFiles(document: SdkDocument): Promise<[string, string][]> {
  const openapiTypescript = await importTool<OpenapiTypescript>('openapi-typescript');
  const types = openapiTypescript.astToString(
    await openapiTypescript.default(structuredClone(document), { emptyObjectsUnknown: true }),
  );
  return [
    [`${FOLDER}/api.ts`, HEADER + types],
    [`${FOLDER}/operations.ts`, HEADER + operations(document)],
  ];
}

function operations(document: SdkDocument): string {
  const rows = operationsOf(document).map(
    ({ id, method, path, file }) => `  ${id}: { method: '${method}', path: '${path}', file: ${file} },`,
  );
  return `export const VERSION = '${document.info.version}';

export const OPERATIONS = {
${rows.join('\n')}
} as const;
`;
}
