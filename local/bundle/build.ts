// Each service and the command line as JavaScript with all that it imports, in dist/, for the image and the tests. Node is
// ready in a third of the time: it need not find, read and strip three thousand files. The sources stay beside it, for
// scripts of Redis, migrations and processes of their own are read from where they are.

import { basename, dirname, join, relative, resolve } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

import { buildIfStale } from '../build/build-if-stale.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER_OF = '__folderOf'; // stands at the top of each file of dist/
const ENTRIES = ['api', 'sender', 'inbound', 'scheduler', 'cli'];
const SOURCES = [...ENTRIES, 'core', 'local/bundle', 'package-lock.json'];

/** Builds dist/ when a source of it has changed. Returns whether it did. */
export function buildBundleIfStale(log: (line: string) => void): Promise<boolean> {
  const wanted = { dist: join(ROOT, 'dist'), root: ROOT, sources: SOURCES, build };
  return buildIfStale(wanted, () => log('building the services (a few seconds)'));
}

async function build(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${name}/main.ts`])),
    platform: 'node',
    plugins: [placesOfSources()],
    external: ['pg-native', 'pg-cloudflare'], // pg does without them
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    banner: `const ${FOLDER_OF} = (source) => import.meta.dirname.slice(0, -'dist'.length) + source;`,
  });
  await bundle.close();
}
// A module that asks where it is gets the place of its source, not of the file in dist/ that it became part of.
function placesOfSources(): Plugin {
  return {
    name: 'places-of-sources',
    transform: {
      filter: { code: /import\.meta\.(dirname|url)|__dirname/ },
      handler(code, id) {
        const folder = `${FOLDER_OF}('${relative(ROOT, dirname(id))}')`;
        if (id.includes('/node_modules/')) {
          return /(const|let|var) __dirname/.test(code) ? null : code.replaceAll('__dirname', folder);
        }
        return code
          .replaceAll('import.meta.dirname', folder)
          .replaceAll('import.meta.url', `('file://' + ${folder} + '/${basename(id)}')`);
      },
    },
  };
}
