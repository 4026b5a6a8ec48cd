// Run before each file of tests with servers. Test files share a process: what one started ends with it. A test that fails
// prints what its services wrote last, what its browser shows, and the command that runs it again.

import { relative } from 'node:path';
import { afterAll, afterEach } from 'vitest';

import { restoreGlobals } from './restore-globals.ts';
import { beginFile } from './service.ts';
import { tellers } from './tell-failure.ts';

/** Settings that change what a test does. */
const CHOICES = ['TEST_SERVERS', 'TEST_RECORD', 'TEST_FORM', 'TEST_SEED'];

restoreGlobals();
const { started, lasting } = beginFile();

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const lines = [lasting, started]
    .map((some) => some.lastLines())
    .join('\n')
    .trim();
  if (lines !== '') console.error(`${task.name}: what its services wrote last\n${lines}`);
  for (const tell of tellers) console.error(await tell().catch(String));
  const choices = CHOICES.filter((name) => process.env[name] !== undefined);
  const env = choices.map((name) => `${name}=${process.env[name]} `).join('');
  const file = relative('.', task.file.filepath);
  console.error(`run it again: ${env}npx vitest run ${file} -t ${JSON.stringify(task.name)}`);
});

afterAll(() => started.kill());
