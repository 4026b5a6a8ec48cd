// Runs a TypeScript entry under Node 24 or newer: `node local/node24.mjs local/start.ts`. Plain JavaScript, because
// an older Node cannot even read the entry. `npm ci` puts a Node 24 into node_modules/.bin on Linux; on other systems
// the installed one must do.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OLDEST_MAJOR = 24;
const bundled = resolve(import.meta.dirname ?? '.', '../node_modules/.bin/node');
const entry = resolve(process.argv[2] ?? 'local/start.ts');

if (Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR) {
  process.argv.splice(1, 2, entry);
  await import(pathToFileURL(entry).href);
} else if (existsSync(bundled)) {
  const child = spawn(bundled, [entry, ...process.argv.slice(3)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C reaches the child by itself; the others are handed on.
    process.on(signal, () => void (signal === 'SIGINT' || child.kill(signal)));
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
} else {
  process.stderr.write(
    `This needs Node ${OLDEST_MAJOR} or newer, and here is ${process.version}: install it, or run \`npm ci\` on Linux.\n`,
  );
  process.exitCode = 1;
}
