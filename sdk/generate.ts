// Makes the generated parts of sdk/ from the OpenAPI document: `npm run sdk`. With --check it only says whether they
// are current. No server runs for it. The Python part is not in Git: --check makes it and compares nothing.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { sdkDocument } from './document.ts';
import { pythonFiles } from './python-files.ts';
import { pythonTools } from './python-tools.ts';
import { typescriptFiles } from './typescript-files.ts';

const ROOT = join(import.meta.dirname, '..');
const PYTHON = 'sdk/python/postrider/gen';
const GENERATED = ['sdk/typescript/src/gen', PYTHON];
/** The clients have the version of the server whose document they are made from. */
const VERSIONED = [
  {
    file: 'sdk/typescript/package.json',
    line: /^ {2}"version": ".*",$/m,
    write: (v: string) => `  "version": "${v}",`,
  },
  { file: 'sdk/python/pyproject.toml', line: /^version = ".*"$/m, write: (v: string) => `version = "${v}"` },
];

const check = process.argv.includes('--check');
const document = sdkDocument();
const wanted = new Map<string, string>(await typescriptFiles(document));
const tools = pythonTools();
if ('bin' in tools) for (const [file, text] of pythonFiles(document, tools.bin)) wanted.set(file, text);
else if (!check || process.env['CI'] === 'true') fail(tools.missing);
else console.warn(`the Python client is not made: ${tools.missing}`);
for (const { file, line, write } of VERSIONED) {
  wanted.set(file, readFileSync(join(ROOT, file), 'utf8').replace(line, write(document.info.version)));
}

const made = GENERATED.slice(0, 'bin' in tools ? 2 : 1);
const isCompared = (file: string) => !check || !file.startsWith(`${PYTHON}/`);
const stale = [...wanted.keys()].filter((file) => isCompared(file) && read(file) !== wanted.get(file));
const gone = made.flatMap(filesBelow).filter((file) => isCompared(file) && !wanted.has(file));
if (check && stale.length + gone.length > 0)
  fail(`sdk/ is not what the API says (${[...stale, ...gone].slice(0, 5).join(', ')} …): run npm run sdk`);
if (!check) {
  for (const file of gone) rmSync(join(ROOT, file));
  for (const file of stale) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), wanted.get(file)!);
  }
}
console.log(`${wanted.size} files of the SDKs ${check ? 'are up to date' : 'written'}`);

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}

function read(file: string): string | null {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return null;
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
