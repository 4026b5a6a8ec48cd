// Children for untrusted input end with their parent, even while caught in a loop.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { waitUntil } from '../harness/wait.ts';

const SANDBOX = join(import.meta.dirname, '../../core/base/sandbox.ts');
const CHILD = join(import.meta.dirname, '../harness/bad-process.ts');

function isAlive(pid: number): boolean {
  try {
    // A zombie still takes signals; its parent, which is init by now, may be slow to bury it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test.each(['hang', 'rest'])(
  'a child whose job is to %s is gone after its parent was killed',
  async (deed) => {
    const program = `
    import { startSandbox } from ${JSON.stringify(SANDBOX)};
    import { pathToFileURL } from 'node:url';
    const child = startSandbox(pathToFileURL(${JSON.stringify(CHILD)}), { oldSpaceMb: 64 });
    const ask = (id, text) => child.send([{ id, job: { raw: Buffer.from(text) } }]);
    child.on('message', () => {
      ask(2, ${JSON.stringify(deed)});
      child.removeAllListeners('message');
      setTimeout(() => console.log(child.pid), 100);
    });
    ask(1, 'first');
    setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await waitUntil(() => !isAlive(pid), { what: 'the child to end' });
  },
);
