// One run of one part in one checkout, by the bench of that commit with the options that it has.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { LogLine } from '../../local/servers/install.ts';
import type { Watchdog } from '../../local/servers/watchdog.ts';
import type { Figure, Unit } from '../figure.ts';
import { fixedLoopMs } from '../fixed-loop.ts';
import type { Options, PartName } from '../options.ts';
import type { Results } from '../report.ts';
import { CannotCompare, type Checkout } from './checkout.ts';
import { watchTreeCpu } from './tree-cpu.ts';

/** A figure as the bench of some commit wrote it. One that was read from printed lines has no id. */
export type ReadFigure = Pick<Figure, 'what' | 'value' | 'unit'> & Partial<Figure>;

/** What one run showed. */
export interface PartRun {
  figures: ReadFigure[];
  /** Seconds of CPU of the whole run, by process. */
  cpu: Record<string, number>;
  /** Milliseconds of the fixed loop: the mean of before and after the run. */
  loopMs: number;
}

/** What the bench of a commit understands, as its usage text states. */
export interface Abilities {
  parts: string[];
  /** `--results` writes the figures of any run; without it only a full run writes some. */
  writesResults: boolean;
}

/** How to run. */
export interface RunContext {
  options: Options;
  watchdog: Watchdog;
  /** Ends the run. */
  signal: AbortSignal;
  log: LogLine;
}

const LIMIT_MS = 20 * 60_000; // the longest part takes some eight minutes
const STOP_LIMIT_MS = 30_000; // databases are dropped and servers stopped
const USAGE_LIMIT_MS = 3 * 60_000; // under a second on an idle machine
const PROGRESS_MS = 10_000;
const REASON_LINES = 5;

/** Reads the usage text. Not by `--help`, which older benches lack, and which loads the whole bench: 10 s on a busy machine. */
export async function readAbilities(checkout: Checkout): Promise<Abilities> {
  const script = "import { USAGE } from './bench/options.ts'; console.log(USAGE);";
  const child = spawn(checkout.node, ['--input-type=module', '--eval', script], {
    cwd: checkout.folder,
    env: checkout.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: USAGE_LIMIT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return parseUsage(output, checkout.name);
}

/** What a usage text states. */
export function parseUsage(text: string, name: string): Abilities {
  const parts = /^\s*--only a,b\s+parts: (.+)$/m.exec(text)?.[1];
  if (parts === undefined)
    throw new CannotCompare(`${name} has no bench that can be run:\n${text.slice(0, 2_000)}`);
  return { parts: parts.split(', '), writesResults: /^\s*--results\b/m.test(text) };
}

/** Runs a part. Throws if it could not be measured. */
export async function runPart(
  checkout: Checkout,
  abilities: Abilities,
  part: PartName,
  { options, watchdog, signal, log }: RunContext,
): Promise<PartRun> {
  signal.throwIfAborted();
  const own = join(checkout.folder, 'bench/results.json');
  const file = abilities.writesResults ? join(checkout.folder, '.local/bench-results.json') : own;
  await rm(file, { force: true });
  const before = fixedLoopMs();
  const child = spawn(
    checkout.node,
    [
      ...['bench/run.ts', '--only', part],
      ...(options.quick ? ['--quick'] : []),
      ...(options.senders === 1 ? [] : ['--senders', `${options.senders}`]),
      ...(abilities.writesResults ? ['--dry', '--results', file] : []),
    ],
    { cwd: checkout.folder, env: checkout.env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const pid = child.pid ?? 0;
  watchdog.add(pid, 'SIGTERM');
  const tree = watchTreeCpu(pid);
  const logFile = createWriteStream(join(checkout.folder, '.local/bench.log'), { flags: 'a' });
  child.stderr.pipe(logFile, { end: false });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    logFile.write(`${line}\n`);
  });
  const progress = setInterval(() => log(`     … ${lines.at(-1)?.trim() ?? 'starting'}`), PROGRESS_MS);
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    force ??= setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  };
  const limit = setTimeout(end, LIMIT_MS);
  signal.addEventListener('abort', end);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(`the bench ended with ${code}; see ${logFile.path.toString()}\n${findReason(lines)}`);
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(limit);
    clearTimeout(force);
    clearInterval(progress);
    watchdog.remove(pid);
    logFile.end();
  }
  const cpu = tree.stop();
  const loopMs = (before + fixedLoopMs()) / 2;
  const readsLines = options.quick && !abilities.writesResults;
  const figures = readsLines ? parseFigures(lines) : await readFigures(file, part);
  if (figures.length === 0) throw new Error(`the part gave no figures:\n${findReason(lines)}`);
  return { figures, cpu, loopMs };
}

async function readFigures(file: string, part: PartName): Promise<ReadFigure[]> {
  const results = JSON.parse(await readFile(file, 'utf8')) as Results;
  return results[part]?.figures ?? [];
}

// A part that fails prints its error over several lines, and the bench goes on.
function findReason(lines: string[]): string {
  const at = lines.findIndex((line) => line.includes('could not be measured'));
  return lines
    .slice(at < 0 ? -REASON_LINES : at)
    .slice(0, REASON_LINES)
    .join('\n');
}

/** Figures as the bench prints them, three digits each: what remains of a quick run without `--results`. */
export function parseFigures(lines: string[]): ReadFigure[] {
  return lines.flatMap((line) => {
    const match = /^ *\d+ s {5}(\S.*?): ([\d.,]+)(?: ?(\/s|ms|kB|MB|%))?(?: \([≥≤].*\))?$/.exec(line);
    if (!match) return [];
    return { what: match[1]!, value: Number(match[2]!.replaceAll(',', '')), unit: (match[3] ?? '') as Unit };
  });
}
