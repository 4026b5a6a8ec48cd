// Which file depends on which, read from the sources: imports, and the names of other files and folders in quotes, such as
// `new URL('./worker.ts', import.meta.url)` and `join(import.meta.dirname, 'gate.lua')`. Imports of types are left out: they
// change nothing at run time.

import { dirname, posix } from 'node:path';

/** A file and its text; the text is empty where nothing is read from it. */
export interface Source {
  file: string;
  text: string;
}

/** The files that each file depends on directly. A name that ends in `/` is a folder with all files below it. */
export type Graph = Map<string, Set<string>>;

const TYPE_IMPORT = /^(?:import|export)\s+type\s[^'";]*?from\s+'[^']+';/gm;
const IN_THIS_FOLDER = /import\.meta\.dirname(?:,\s*'|\}\/)([\w./-]+)/g;
const QUOTED = /'([\w@./-]{1,120})'/g;
const READS_FOLDERS = /\b(?:readdir|readdirSync|glob|globSync)\(/;

/** The names that the list has. */
interface Names {
  files: Set<string>;
  folders: Set<string>;
}

/** The graph of a list of files. Names of files that are not in the list are ignored. */
export function importGraph(sources: readonly Source[]): Graph {
  const files = new Set(sources.map(({ file }) => file));
  const names = { files, folders: new Set([...files].flatMap(foldersAbove)) };
  const graph: Graph = new Map(sources.map((source) => [source.file, namedIn(source, names)]));
  addFolders(graph, files);
  return graph;
}

function namedIn({ file, text }: Source, names: Names): Set<string> {
  const code = text.replaceAll(TYPE_IMPORT, '');
  const here = dirname(file);
  const quoted = [
    ...[...code.matchAll(QUOTED)].map((match) => match[1]!),
    ...[...code.matchAll(IN_THIS_FOLDER)].map((match) => `./${match[1]!}`),
  ];
  const relative = quoted.filter((name) => name.startsWith('.')).map((name) => posix.join(here, name));
  const folders = relative.map(slashed).filter((name) => names.folders.has(name));
  const bases = [...new Set([slashed(here), ...folders])];
  const found = [...relative, ...quoted.flatMap((name) => inBases(name, bases))];
  const result = new Set(found.flatMap((name) => fileOf(name, names)));
  if (READS_FOLDERS.test(code)) for (const folder of foldersIn(found, names)) result.add(folder);
  result.delete(file);
  return result;
}

// A path from the root names a file everywhere; documents are named that way in texts that only mention them.
function inBases(name: string, bases: string[]): string[] {
  const all = name.includes('/') && !name.endsWith('.md') ? [...bases, './'] : bases;
  return all.map((base) => posix.join(base, name));
}

function fileOf(name: string, { files }: Names): string[] {
  return [name, `${name}.ts`, `${name}.tsx`].filter((one) => files.has(one)).slice(0, 1);
}

// The root itself is where names begin, not what a module reads.
function foldersIn(found: string[], { folders }: Names): string[] {
  return found.map(slashed).filter((name) => name !== './' && folders.has(name));
}

/** Adds a dependency by what the project knows and no source says. */
export function addEdge(graph: Graph, from: string, to: string): void {
  const edges = graph.get(from) ?? new Set();
  graph.set(from, edges.add(to));
}

/** All files that a file depends on, over any number of steps. */
export function dependenciesOf(graph: Graph, file: string): Set<string> {
  return new Set([...distances(graph, [file]).keys()].filter((name) => name !== file && !name.endsWith('/')));
}

/** How many steps each file is away from the nearest of the changed files that it depends on. */
export function distancesTo(graph: Graph, changed: readonly string[]): Map<string, number> {
  return distances(reversed(graph), changed);
}

function distances(graph: Graph, from: readonly string[]): Map<string, number> {
  const found = new Map(from.map((file) => [file, 0]));
  for (const [file, steps] of found) {
    for (const next of graph.get(file) ?? []) if (!found.has(next)) found.set(next, steps + 1); // a map visits what is added
  }
  return found;
}

function reversed(graph: Graph): Graph {
  const result: Graph = new Map();
  for (const [from, edges] of graph) for (const to of edges) addEdge(result, to, from);
  return result;
}

function addFolders(graph: Graph, files: Set<string>): void {
  const wanted = new Set([...graph.values()].flatMap((edges) => [...edges].filter((to) => to.endsWith('/'))));
  for (const file of files) {
    for (const folder of foldersAbove(file)) if (wanted.has(folder)) addEdge(graph, folder, file);
  }
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return ['./', ...parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)];
}

function slashed(name: string): string {
  return name.endsWith('/') ? name : `${name}/`;
}
