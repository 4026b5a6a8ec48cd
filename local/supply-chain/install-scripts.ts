// Packages bring programs that npm would run while it installs them, as whoever installs. Here it runs none
// (`ignore-scripts` in .npmrc), so each package with such a script is named with the reason why it works without.

import type { Locked } from './lockfile.ts';

/** Packages with an install script, and why they need it not. */
export const WORKS_WITHOUT_SCRIPT: Readonly<Record<string, string>> = {
  esbuild:
    'its program comes as an optional package for each platform; the script only looks whether it is there',
  protobufjs: 'the script prints advice about version ranges',
};

/** What is wrong with .npmrc and with packages of the lockfile, a sentence each. */
export function installProblems(npmrc: string, locked: Locked): string[] {
  const problems = /^ignore-scripts=true$/m.test(npmrc) ? [] : ['.npmrc must say ignore-scripts=true'];
  const withScript = new Set<string>();
  for (const [name, { version, hasInstallScript, integrity }] of locked) {
    if (integrity === undefined) problems.push(`${name}@${version} has no hash in the lockfile`);
    if (hasInstallScript !== true) continue;
    withScript.add(name);
    if (name in WORKS_WITHOUT_SCRIPT) continue;
    problems.push(
      `${name}@${version} has an install script: does it work without, or is there another package?`,
    );
  }
  const gone = Object.keys(WORKS_WITHOUT_SCRIPT).filter((name) => !withScript.has(name));
  return [
    ...problems,
    ...gone.map((name) => `${name} has no install script any more: remove it from the list`),
  ];
}
