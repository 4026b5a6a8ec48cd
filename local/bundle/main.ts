// `npm run bundle`: each service and the command line as JavaScript with all that it imports, in dist/, for the image. Node
// is ready in a third of the time: it need not find, read and strip three thousand files. The sources stay beside it, for
// scripts of Redis, migrations and processes of their own are read from where they are.

import { basename, dirname, relative, resolve } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER_OF = '__folderOf'; // stands at the top of each file of dist/
const ENTRIES = ['api', 'sender', 'inbound', 'scheduler', 'cli'];

const bundle = await rolldown({
  cwd: ROOT,
  input: Object.fromEntries(ENTRIES.map((name) => [name, `${name}/main.ts`])),
  platform: 'node',
  plugins: [placesOfSources()],
  external: ['pg-native', 'pg-cloudflare'], // pg does without them
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  banner: `const ${FOLDER_OF} = (source) => import.meta.dirname.slice(0, -'dist'.length) + source;`,
  cleanDir: true,
});
const octets = output.reduce((sum, file) => sum + ('code' in file ? Buffer.byteLength(file.code) : 0), 0);
console.log(`dist: ${output.length} files, ${(octets / 1e6).toFixed(1)} MB`);

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
