// CPU time of a run by process, read from outside, so that it works for the bench of any commit. Processes are found by
// their command line. What a process uses after its last sample is not seen: at most SAMPLE_MS of it.

import { readdirSync, readFileSync } from 'node:fs';

import { afterName } from '../stack/process-tree.ts';

/** Samples a process tree until it is stopped. */
export interface TreeCpu {
  /** Seconds of CPU by name. */
  stop(): Record<string, number>;
}

/** One process at one moment. */
export interface ProcessSample {
  pid: number;
  parent: number;
  /** Clock tick at which it started: a pid may be used again. */
  startedAt: number;
  /** Seconds of CPU: its own, and that of children that ended and were waited for. */
  own: number;
  ended: number;
  command: string;
}

const SAMPLE_MS = 500;
const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux that Node runs on
// The rest (the bench, what it starts for a moment) counts as `bench`.
const NAMES: [RegExp, string][] = [
  [/\b(api|sender|inbound|scheduler)\/main\.ts/, ''],
  [/\bdist\/(api|sender|inbound|scheduler)\.mjs/, ''],
  [/bench\/workers\/([\w-]+)\.ts/, ''],
  [/^postgres\b|\/postgres\s/, 'postgres'],
  [/redis-server/, 'redis'],
  [/redis-benchmark/, 'redis-benchmark'],
  [/nats-server/, 'nats'],
  [/\bk6\S* run\b/, 'k6'],
];

/** Starts to sample `root` and everything below it. */
export function watchTreeCpu(root: number): TreeCpu {
  const tally = createCpuTally(root);
  const timer = setInterval(() => tally.add(readProcesses()), SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return tally.total();
    },
  };
}

/**
 * Sums samples by name. A process without a name of its own counts for its parent. The CPU time of a child that ended moves
 * into its parent's account, so each topmost process of a name is read together with those below it.
 */
export function createCpuTally(root: number): {
  add(samples: ProcessSample[]): void;
  total(): Record<string, number>;
} {
  const groups = new Map<string, { name: string; seconds: number }>();
  const add = (samples: ProcessSample[]) => {
    const children = Map.groupBy(samples, ({ parent }) => parent);
    const now = new Map<string, { name: string; seconds: number }>();
    const visit = (one: ProcessSample, above: { name: string; key: string }) => {
      const name = nameOf(one.command) ?? above.name;
      const key = name === above.name ? above.key : `${one.pid}:${one.startedAt}`;
      const group = now.get(key) ?? { name, seconds: 0 };
      // The bench waits for the processes of all other names: these have been counted already.
      group.seconds += one.own + (name === 'bench' ? 0 : one.ended);
      now.set(key, group);
      for (const child of children.get(one.pid) ?? []) visit(child, { name, key });
    };
    const top = samples.find(({ pid }) => pid === root);
    if (top) visit(top, { name: 'bench', key: 'bench' });
    for (const [key, group] of now)
      if (group.seconds > (groups.get(key)?.seconds ?? 0)) groups.set(key, group);
  };
  const total = () => {
    const sums: Record<string, number> = {};
    for (const { name, seconds } of groups.values()) sums[name] = (sums[name] ?? 0) + seconds;
    return sums;
  };
  return { add, total };
}

function nameOf(command: string): string | null {
  for (const [pattern, name] of NAMES) {
    const match = pattern.exec(command);
    if (match) return name || match[1]!;
  }
  return null;
}

// Synchronous: some two hundred small files are read in a few milliseconds, asynchronously in several times that.
function readProcesses(): ProcessSample[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readText(`/proc/${name}/stat`);
      if (stat === '') return []; // ended since
      const fields = afterName(stat).map(Number);
      const seconds = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / TICKS_PER_SECOND;
      return {
        pid: Number(name),
        parent: fields[1] ?? 0,
        startedAt: fields[19] ?? 0,
        own: seconds(11),
        ended: seconds(13),
        command: readText(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
      };
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
