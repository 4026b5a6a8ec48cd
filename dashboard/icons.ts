// Makes `src/gen/icons.ts`: the icons of Lucide that the sources import from there. The package has a thousand times as much
// and is 50 MB, so it is one of the tools.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { importTool } from '../local/tools/tools.ts';

/** The part of a module of lucide-react that is used here. */
interface IconModule {
  /** Missing in the module of an older name. */
  __iconData?: { node: [tag: string, attributes: Record<string, string>][] };
}

const IMPORT = /import(?: type)? \{([^}]*)\} from '[./]*\/gen\/icons\.ts'/g;

/** The text of the file of all icons that these `.ts` and `.tsx` files import. An icon that Lucide does not have throws. */
export async function makeIcons(folder: string, files: string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const names = new Set(texts.flatMap(importedNames).toSorted());
  const icons = await Promise.all([...names].map(async (name) => [name, await readIcon(name)] as const));
  const lines = icons.map(([name, node]) => `export const ${name} = makeIcon(${JSON.stringify(node)});\n`);
  return `import { makeIcon } from '../ui/make-icon.ts';\n\n${lines.join('')}`;
}

function importedNames(text: string): string[] {
  const lists = [...text.matchAll(IMPORT)].map(([, list]) => list!);
  return lists
    .flatMap((list) => list.split(','))
    .map((one) => one.trim().split(' as ')[0]!)
    .filter((name) => name !== '');
}

async function readIcon(name: string): Promise<NonNullable<IconModule['__iconData']>['node']> {
  const file = name
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .replace(/([0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
  const { __iconData: icon } = await importTool<IconModule>(`lucide-react/dist/esm/icons/${file}.mjs`);
  if (!icon) throw new Error(`${name} is an older name of an icon: use the one that lucide.dev shows`);
  return icon.node.map(([tag, { key: _key, ...attributes }]) => [tag, attributes]);
}
