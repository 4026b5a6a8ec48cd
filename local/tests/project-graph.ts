// The graph of this repository: what the sources name, and what they do not, such as the services that a test starts.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addEdge, importGraph, type Graph, type Source } from './import-graph.ts';

const CODE = /\.(?:[cm]?[jt]s|tsx|sh)$/;
const GENERATED = /(?:^|\/)(?:gen|sdk\/python)\//;
const SERVICES = ['api', 'sender', 'inbound', 'scheduler'];
const STARTS = /\bstart(?:Service|Copies)\(\s*(?:'(\w+)')?/g;
const STARTER = 'test/harness/service.ts'; // its own calls are for the services that others name
const SCRIPT = /\bnode (?:-\S+ )*(\S+\.ts)/;

// What every test stands on is not in the graph: it would be as near to each of them as the module that a test is about.
const UNDER_ALL =
  /^(?:vitest\.config\.ts|package-lock\.json|test\/harness\/(?:servers|begin-file)\.ts|local\/servers\/(?!citus).*)$/;

/** Those of the changed files that every test stands on. */
export function underAllTests(changed: readonly string[]): string[] {
  return changed.filter((file) => UNDER_ALL.test(file));
}

/** Every file of the working copy that git does not ignore, with the text of code. Files that are gone may be named too. */
export function readProject(root: string, gone: readonly string[] = []): Source[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const files = new Set([...list.split('\0').filter(Boolean), ...gone]);
  return [...files].map((file) => {
    const isRead = CODE.test(file) && existsSync(join(root, file));
    return { file, text: isRead ? readFileSync(join(root, file), 'utf8') : '' };
  });
}

/** The graph, with the files that tests reach through processes and pages. */
export function projectGraph(sources: readonly Source[], scripts: Record<string, string>): Graph {
  const graph = importGraph(sources.filter(({ file }) => !GENERATED.test(file) || !CODE.test(file)));
  addEdge(graph, STARTER, 'local/bundle/build.ts');
  for (const source of sources) {
    for (const service of startedBy(source)) addEdge(graph, source.file, `${service}/main.ts`);
    for (const file of scriptsRunBy(source, scripts)) addEdge(graph, source.file, file);
    if (source.file.startsWith('dashboard/')) addEdge(graph, 'test/harness/browser.ts', source.file);
    if (source.file.startsWith('core/db/migrations/'))
      addEdge(graph, 'core/db/migrator/migration-files.ts', source.file);
  }
  return graph;
}

// A call that names no service starts any of them, as `npm start` and the proof do.
function startedBy({ file, text }: Source): string[] {
  if (file === STARTER) return [];
  const calls = [...text.matchAll(STARTS)].filter(({ index }) => !/function\s+$/.test(text.slice(0, index)));
  return calls.some(([, name]) => name === undefined) ? SERVICES : calls.map(([, name]) => name!);
}

// `npm run sbom` and the like, where a file has both words in quotes.
function scriptsRunBy({ file, text }: Source, scripts: Record<string, string>): string[] {
  if (!/'npm'/.test(text) || file === 'package.json') return [];
  const named = Object.entries(scripts).filter(([name]) => text.includes(`'${name}'`));
  return named.flatMap(([, command]) => SCRIPT.exec(command)?.[1] ?? []);
}

/** The commands of package.json by their names. */
export function readScripts(root: string): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts;
}
