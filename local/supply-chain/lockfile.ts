// The lockfile of npm, as far as the checks of the supply chain read it: every package that `npm ci` may install, and
// whether something of it is run or shipped by us. npm calls everything of the dashboard a tool of development, though
// browsers get what it imports: that counts as production here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of the lockfile. */
export interface LockedPackage {
  version: string;
  /** What its package.json says; an SPDX expression, if its author was careful. */
  license?: string;
  integrity?: string;
  /** Only development needs it. */
  dev?: boolean;
  /** Installed where its platform asks for it, or by chance of a peer. */
  optional?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
}

/** Packages by name; a name is there more than once when there are several versions or places. */
export type Locked = [name: string, locked: LockedPackage][];

type Places = Record<string, LockedPackage>;

/** Reads the lockfile of the project in `root`. */
export function readLocked(root: string): Locked {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Places;
  };
  const inPage = needed(packages, importsOf(join(root, 'dashboard/src')));
  return Object.entries(packages).flatMap(([path, locked]): Locked => {
    const name = path.split('node_modules/').at(-1)!;
    if (name === '') return []; // this project
    return [[name, inPage.has(path) ? { ...locked, dev: false } : locked]];
  });
}

/** Reads the lockfile of local/tools: programs that only developers run. */
export function readLockedTools(root: string): Locked {
  const file = join(root, 'local/tools/package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Places };
  return Object.entries(packages).flatMap(([path, locked]): Locked => {
    return path === '' ? [] : [[path.split('node_modules/').at(-1)!, { ...locked, dev: true }]];
  });
}

// Packages that the files of a folder import, by name.
function importsOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^(?:import|export|\}).*? ?'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?';$/gm),
  ]);
  return [...new Set(found.map((match) => match[1]!))];
}

// Places of packages and of all that they depend on, found as Node does: the nearest node_modules first.
function needed(packages: Places, names: string[], from = '', found = new Set<string>()): Set<string> {
  for (const name of names) {
    let folder = from;
    while (folder !== '' && !(`${folder}/node_modules/${name}` in packages)) {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1));
    }
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (!(place in packages) || found.has(place)) continue;
    found.add(place);
    needed(packages, Object.keys(packages[place]!.dependencies ?? {}), place, found);
  }
  return found;
}
