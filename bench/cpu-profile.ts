// Reads V8 CPU profiles (`node --cpu-prof`) and says where the time went: by function, itself and with what it
// called. A function that calls itself counts once.

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The time of one function. */
interface FunctionTime {
  /** `name file:line` */
  name: string;
  selfMs: number;
  totalMs: number;
}

/** What a profile says. */
export interface ProfileSummary {
  /** Wall time that was sampled, without idling. */
  busyMs: number;
  idleMs: number;
  functions: FunctionTime[];
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

const ROOT = join(import.meta.dirname, '..');

/** Sums up one profile. */
export function summarize(profile: CpuProfile): ProfileSummary {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = new Map<number, number>();
  for (const [at, id] of profile.samples.entries()) {
    self.set(id, (self.get(id) ?? 0) + (profile.timeDeltas[at] ?? 0) / 1000);
  }
  const times = new Map<string, FunctionTime>();
  const walk = (node: ProfileNode, above: Set<string>): number => {
    const name = nameOf(node);
    const own = self.get(node.id) ?? 0;
    const isFirst = !above.has(name);
    if (isFirst) above.add(name);
    let total = own;
    for (const child of node.children ?? []) total += walk(nodes.get(child)!, above);
    if (isFirst) above.delete(name);
    const time = times.get(name) ?? { name, selfMs: 0, totalMs: 0 };
    time.selfMs += own;
    if (isFirst) time.totalMs += total;
    times.set(name, time);
    return total;
  };
  const root = profile.nodes[0];
  const total = root ? walk(root, new Set()) : 0;
  const idleMs = times.get('(idle)')?.selfMs ?? 0;
  const functions = [...times.values()].filter(({ name }) => !['(idle)', '(root)'].includes(name));
  return { busyMs: total - idleMs, idleMs, functions };
}

/** The lines to print: the functions with the most time of their own, then ours with the most in all. */
export function renderProfile(title: string, summary: ProfileSummary, top = 15): string[] {
  const { busyMs, idleMs, functions } = summary;
  const share = (ms: number) => `${((ms / busyMs) * 100).toFixed(1).padStart(5)} %`;
  const line = (ms: number, name: string) => `  ${share(ms)}  ${ms.toFixed(0).padStart(6)} ms  ${name}`;
  const bySelf = functions.toSorted((a, b) => b.selfMs - a.selfMs).slice(0, top);
  const ours = functions.filter(({ name }) => /\s(api|core|inbound|scheduler|sender)\//.test(name));
  const byTotal = ours.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, top);
  return [
    `${title}: busy ${(busyMs / 1000).toFixed(1)} s, idle ${(idleMs / 1000).toFixed(1)} s`,
    ' time of its own',
    ...bySelf.map(({ selfMs, name }) => line(selfMs, name)),
    ' our functions, with what they called before awaiting',
    ...byTotal.map(({ totalMs, name }) => line(totalMs, name)),
  ];
}

/** Sums up every profile in a folder, the busiest thread first. */
export async function renderFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.cpuprofile'));
  const read = async (name: string) => {
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile;
    return { name, summary: summarize(profile) };
  };
  const all = await Promise.all(names.map(read));
  return all
    .toSorted((a, b) => b.summary.busyMs - a.summary.busyMs)
    .flatMap(({ name, summary }) => renderProfile(name, summary));
}

function nameOf({ callFrame }: ProfileNode): string {
  const { functionName, url, lineNumber } = callFrame;
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url;
  return `${name} ${file}:${lineNumber + 1}`;
}
