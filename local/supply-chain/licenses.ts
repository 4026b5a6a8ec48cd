// The licenses under which others may give us code. A package whose license is not here stops `npm run check`: read the
// license, then add it with the reason, or take another package.

import satisfies from 'spdx-satisfies';

import type { Locked } from './lockfile.ts';

/** Where code under a license may be: in what we ship and run, or on machines of developers only. */
interface Allowed {
  in: 'production' | 'development';
  why: string;
}

/** Licenses by their SPDX identifier. What production may have, development may too. */
export const ALLOWED_LICENSES: Readonly<Record<string, Allowed>> = {
  '0BSD': { in: 'production', why: 'asks for nothing' },
  'Apache-2.0': { in: 'production', why: 'our own: notices are kept, and it grants patents' },
  'BSD-2-Clause': { in: 'production', why: 'the notice is kept' },
  'BSD-3-Clause': { in: 'production', why: 'the notice is kept, and names are not used to advertise' },
  'BlueOak-1.0.0': { in: 'production', why: 'the notice is kept' },
  ISC: { in: 'production', why: 'the notice is kept' },
  MIT: { in: 'production', why: 'the notice is kept' },
  'MIT-0': { in: 'production', why: 'asks for nothing' },
  'OFL-1.1': { in: 'production', why: 'fonts: shipped with their license, not sold by themselves' },
  Unlicense: { in: 'production', why: 'public domain, or a license that asks for nothing' },
  'MPL-2.0': {
    in: 'development',
    why: 'changed files must be published; tools are run, neither changed nor shipped',
  },
  'CC-BY-3.0': { in: 'development', why: 'lists of SPDX with their source named, to check licenses with' },
  'CC0-1.0': { in: 'development', why: 'asks for nothing, but grants no patents' },
  'Python-2.0': { in: 'development', why: 'changes must be named; one parser of arguments, in tools' },
};

/** Packages that name their license in other words than SPDX's. */
export const MEANT_LICENSES: Readonly<Record<string, { says: string; means: string }>> = {
  'xml-escape': { says: 'MIT License', means: 'MIT' },
};

/** What is wrong, a sentence for each package; and each license or exception that nothing needs any more. */
export function licenseProblems(locked: Locked): string[] {
  const all = Object.keys(ALLOWED_LICENSES);
  const shipped = all.filter((id) => ALLOWED_LICENSES[id]!.in === 'production');
  const unused = new Set([...all, ...Object.keys(MEANT_LICENSES)]);
  const problems = locked.flatMap(([name, { version, license, dev }]) => {
    const meant = MEANT_LICENSES[name];
    const expression = license !== undefined && meant?.says === license ? meant.means : license;
    if (meant?.says === license) unused.delete(name);
    if (expression === undefined) return [`${name}@${version} names no license`];
    for (const id of all) if (expression.includes(id)) unused.delete(id);
    if (isAllowed(expression, dev === true ? all : shipped)) return [];
    return [
      `${name}@${version} is ${expression}, which is not allowed in ${dev ? 'development' : 'production'}`,
    ];
  });
  return [...problems, ...[...unused].map((id) => `${id} is allowed and nothing has it: remove it`)];
}

// Words that are no SPDX expression allow nothing.
function isAllowed(expression: string, ids: string[]): boolean {
  try {
    return satisfies(expression, ids);
  } catch {
    return false;
  }
}
