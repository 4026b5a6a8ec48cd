// Makes core/gen/ from the .proto files: `npm run proto`. With --check it only says whether core/gen/ is current.
// Also writes the descriptor set that server reflection answers from.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { toolProgram } from '../local/tools/tools.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'core/gen');
const check = process.argv.includes('--check');
const out = check ? mkdtempSync(join(tmpdir(), 'postrider-gen-')) : target;

if (!check) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
}
const options = [
  'enumsAsLiterals=true',
  'outputServices=grpc-js',
  'importSuffix=.ts',
  'oneof=unions-value',
  'forceLong=bigint',
  'env=node',
  'esModuleInterop=true',
  'useExactTypes=false',
  'outputJsonMethods=false',
  'outputTypeRegistry=false',
  'useOptionals=none',
];
execFileSync(
  toolProgram('protoc'),
  [
    `--plugin=protoc-gen-ts_proto=${toolProgram('protoc-gen-ts_proto')}`,
    `--ts_proto_out=${out}`,
    `--ts_proto_opt=${options.join(',')}`,
    `--proto_path=${join(root, 'proto')}`,
    'sender/v1/sender.proto',
    'google/rpc/status.proto',
  ],
  { stdio: 'inherit', cwd: root },
);
execFileSync(
  toolProgram('protoc'),
  [
    `--descriptor_set_out=${join(out, 'descriptors.bin')}`,
    '--include_imports',
    `--proto_path=${join(root, 'proto')}`,
    `--proto_path=${join(root, 'node_modules/grpc-health-check/proto')}`,
    'sender/v1/sender.proto',
    'google/rpc/status.proto',
    'health/v1/health.proto',
  ],
  { stdio: 'inherit', cwd: root },
);

if (check) {
  const stale = files(out).filter((file) => !sameFile(join(out, file), join(target, file)));
  rmSync(out, { recursive: true });
  if (stale.length > 0) {
    console.error(`core/gen/ is not what proto/ says (${stale.join(', ')}): run npm run proto`);
    process.exit(1);
  }
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function sameFile(a: string, b: string): boolean {
  try {
    return readFileSync(a).equals(readFileSync(b));
  } catch {
    return false;
  }
}
