// Where regular expressions run that hostile text may reach: our services and the dashboard, and what their bundles take from
// packages. Packages that only the parser and the renderer load are not read: those processes are ended after a time limit.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown, type InputOptions } from 'rolldown';

import { docPages } from '../../dashboard/doc-pages.ts';

/** A file, and its code as it runs: of a package only what the bundles keep. */
export interface Source {
  file: string;
  code: string;
}

const OURS = '{api,core,sender,inbound,scheduler,dashboard/src}/**/*.{ts,tsx}';
const SERVICES = ['api', 'sender', 'inbound', 'scheduler'];

/** Our files, then those of packages; by path from `root`. */
export async function readSources(root: string): Promise<Source[]> {
  const ours = globSync(OURS, { cwd: root })
    .toSorted()
    .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }));
  const services = packageCode(root, {
    input: Object.fromEntries(SERVICES.map((name) => [name, `${name}/main.ts`])),
    platform: 'node',
    external: ['pg-native', 'pg-cloudflare'], // pg does without them
  });
  const dashboard = packageCode(root, {
    input: { dashboard: 'dashboard/src/main.tsx' },
    platform: 'browser',
    external: /\.css$/,
    plugins: [docPages() as never], // a plugin of vite that uses nothing but rolldown's hooks
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
  });
  return [...ours, ...(await services), ...(await dashboard)];
}

async function packageCode(root: string, options: InputOptions): Promise<Source[]> {
  const bundle = await rolldown({ ...options, cwd: root, logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.entries(chunk.modules) : []));
  return modules
    .map(([id, { code }]) => ({ file: relative(root, id), code: code ?? '' }))
    .filter(({ file, code }) => file.startsWith('node_modules/') && code !== '');
}
