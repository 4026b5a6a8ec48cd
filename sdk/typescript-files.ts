// The generated part of the TypeScript client: the types by openapi-typescript, and where each operation is.

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

import { operationsOf, type SdkDocument } from './document.ts';

const FOLDER = 'sdk/typescript/src/gen';
const HEADER = '// Made by `npm run sdk` from the OpenAPI document. Do not edit.\n\n';

/** Path and text of each file. */
export async function typescriptFiles(document: SdkDocument): Promise<[string, string][]> {
  const types = astToString(
    await openapiTS(structuredClone(document) as unknown as OpenAPI3, { emptyObjectsUnknown: true }),
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
