// The files of the built dashboard, in memory: about 1 MB with their compressed copies. A new build is seen at the
// next page load.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

import { shareBody } from '../slice-response.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** One file, as it is and compressed. */
export interface Asset {
  type: string;
  body: Buffer<ArrayBuffer>;
  /** By content coding, the best first. */
  encoded: { encoding: 'br' | 'gzip'; body: Buffer<ArrayBuffer> }[];
}

/** A build: its page and its files by path (`/assets/…`). */
export interface DashboardBuild {
  page: string;
  assets: ReadonlyMap<string, Asset>;
}

/** Makes what gives the build in `folder`, or null while there is none. */
export function createBuildReader(folder: string): () => DashboardBuild | null {
  let known: { changedAt: number; build: DashboardBuild } | null = null;
  return () => {
    const changedAt = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) return null;
    if (known?.changedAt !== changedAt) known = { changedAt, build: readBuild(folder) };
    return known.build;
  };
}

function readBuild(folder: string): DashboardBuild {
  const assets = new Map<string, Asset>();
  const names = readdirSync(folder, { recursive: true }).map(String);
  const present = new Set(names);
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    assets.set(`/${name}`, {
      type,
      body: shareBody(readFileSync(join(folder, name))),
      encoded: ENCODINGS.filter(([, ending]) => present.has(name + ending)).map(([encoding, ending]) => ({
        encoding,
        body: shareBody(readFileSync(join(folder, name + ending))),
      })),
    });
  }
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), assets };
}
