// Runs a program of the tools: `node local/tools/main.ts oxlint --type-aware`. Installs them before their first use.

import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

import { installTools } from './tools.ts';

const [program = '', ...args] = process.argv.slice(2);
const programs = join(installTools(), 'node_modules/.bin');
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH']}` }; // oxlint looks for tsgolint there
const { status, error } = spawnSync(join(programs, program), args, { stdio: 'inherit', env });
if (error) throw error;
process.exitCode = status ?? 1;
