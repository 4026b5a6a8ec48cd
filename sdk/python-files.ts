// The generated part of the Python client: models and operations by openapi-python-client, and the class that has the
// operations as its methods.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { operationsOf, type SdkDocument } from './document.ts';
import type { Json } from './inline-schemas.ts';

const FOLDER = 'sdk/python/postrider/gen';
const SETTINGS = join(import.meta.dirname, 'python-generator');

/** Path and text of each file. `bin` is the folder of the generator. */
export function pythonFiles(document: SdkDocument, bin: string): [string, string][] {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-sdk-'));
  try {
    generate(forPython(document), folder, bin);
    const made = join(folder, 'gen');
    const files = readdirSync(made, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name.endsWith('.py'),
    );
    return [
      ...files.map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        return [FOLDER + path.slice(made.length), readFileSync(path, 'utf8')];
      }),
      [`${FOLDER}/operations.py`, operations(document)],
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Its warnings are about what it leaves out, so that each is an error here.
function generate(document: Json, folder: string, bin: string): void {
  const input = join(folder, 'openapi.json');
  writeFileSync(input, JSON.stringify(document));
  const options = ['--meta', 'none', '--fail-on-warning', '--output-path', join(folder, 'gen')];
  const settings = [
    '--config',
    join(SETTINGS, 'config.yml'),
    '--custom-template-path',
    join(SETTINGS, 'templates'),
  ];
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  try {
    execFileSync(join(bin, 'openapi-python-client'), ['generate', '--path', input, ...options, ...settings], {
      env,
      stdio: 'pipe',
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`openapi-python-client: ${stdout.toString()}${stderr.toString()}`, { cause: error });
  }
}

// Errors are raised as PostriderError, which reads them itself; webhooks come as a dict.
function forPython({ webhooks: _webhooks, ...document }: SdkDocument): Json {
  const { Error: _, ...schemas } = document.components.schemas;
  return { ...document, components: { ...document.components, schemas } };
}

function operations(document: SdkDocument): string {
  const all = operationsOf(document).map(({ id, group }) => ({ name: snake(id), module: snake(group) }));
  return `"""Made by \`npm run sdk\` from the OpenAPI document. Do not edit."""

${all.map(({ name, module }) => `from .api.${module}.${name} import ${name} as _${name}`).join('\n')}

VERSION = "${document.info.version}"


class Operations:
    """A method for each operation."""

${all.map(({ name }) => `    ${name} = _${name}`).join('\n')}
`;
}

function snake(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}
