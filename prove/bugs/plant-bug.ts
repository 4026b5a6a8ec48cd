// Plants a bug: a copy of the checkout, with what is not committed, and the patch applied to it. The checkout itself is
// never touched.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BESIDE = ['dashboard/dist']; // built, so in no list of git

/** Makes the copy. Throws when the patch does not apply. */
export function plantBug(root: string, patch: string, copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  for (const file of [...listed.toString().split('\0'), ...BESIDE]) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Without the ceiling git takes the copy for a folder of the checkout, and skips what the patch names.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  execFileSync('git', ['apply', patch], { cwd: copy, env, stdio: 'pipe' });
}
