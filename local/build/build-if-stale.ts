// Folders that are built from sources: anew only when a source has changed. A build goes into a folder of its own and takes
// the place of the old one at the end, so that a process that runs never sees half of one.

import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is built from what. */
export interface Build {
  /** The folder that it makes. */
  dist: string;
  /** What `sources` are relative to. */
  root: string;
  /** Files, and folders with all that is below them. */
  sources: readonly string[];
  /** Builds into a folder that is not there yet. */
  build(folder: string): Promise<void>;
}

const STAMP = 'sources.sha256';

/** Builds when the sources are not those of the last build; `announce` is called before. Returns whether it built. */
export async function buildIfStale(wanted: Build, announce: () => void): Promise<boolean> {
  const { dist } = wanted;
  const hash = await hashSources(wanted);
  const built = await readFile(join(dist, STAMP), 'utf8').catch(() => null);
  if (built === hash) return false;
  announce();
  const fresh = `${dist}-${process.pid}`;
  const old = `${fresh}-old`;
  try {
    await wanted.build(fresh);
    await writeFile(join(fresh, STAMP), hash);
    await rename(dist, old).catch(() => undefined);
    await rename(fresh, dist);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
  return true;
}

// By content, not by time: a fresh checkout has the same contents with other times.
async function hashSources({ root, sources }: Build): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const below = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = below
      ?.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)) ?? [path];
    for (const file of files.sort()) {
      hash.update(file.slice(root.length)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}
