// Administration from the command line: `npm run cli -- <command>`. One process, one command: the answer goes to stdout,
// everything else to stderr; it ends with 0, with 1 when the command was refused or failed, with 2 for a usage mistake.

import { runCli } from './run-cli.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
