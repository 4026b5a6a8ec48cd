// `npm run supply-chain`: checks the licenses and install scripts of all packages, and the images of deploy/.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { imageProblems, readDeployFiles, UNPINNED_FILE } from './images.ts';
import { installProblems } from './install-scripts.ts';
import { licenseProblems } from './licenses.ts';
import { readLocked, readLockedTools } from './lockfile.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const locked = [...readLocked(ROOT), ...readLockedTools(ROOT)];
const unpinned = JSON.parse(read(`deploy/${UNPINNED_FILE}`)) as string[];
const problems = [
  ...licenseProblems(locked),
  ...installProblems(read('.npmrc'), locked),
  ...imageProblems(readDeployFiles(join(ROOT, 'deploy')), unpinned),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else {
  const shipped = locked.filter(([, { dev }]) => dev !== true).length;
  console.log(`${shipped} packages of production and ${locked.length - shipped} of development are allowed`);
  if (unpinned.length > 0) console.log(`images without a digest: ${unpinned.join(', ')} (npm run images)`);
}
