// A process and all that it started: PostgreSQL has one for each connection, services have some that parse.

import { readdir, readFile } from 'node:fs/promises';

/** Process ids of `root` and everything below it. */
export async function readTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(afterName(stat)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/** Fields of /proc/<pid>/stat after the name, which may hold spaces: see proc(5). */
export function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
