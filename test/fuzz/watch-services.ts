// What services show while they are fuzzed: whether they end, how late their event loop is, and what they log as an error.

import type { Finding } from './lane.ts';
import type { FuzzWorld } from './world.ts';

/** The watch over one run. */
export interface Watch {
  /** Services that ended, each with its signal or code. */
  ended(): string[];
  /** What is wrong, and a row of figures for each service. Call once, at the end. */
  finish(): Promise<{ findings: Finding[]; rows: string[][] }>;
}

/** The least that is no longer a hiccup of the machine: somebody's document stood in everybody's way. */
const STAND_STILL_MS = 3_000;
const MAX_LINES = 5; // of one service's log that are shown

/** Begins to watch: what the start of the services cost does not count. */
export async function watchServices(
  { services }: FuzzWorld,
  { seed, lagMs }: { seed: number; lagMs: number },
): Promise<Watch> {
  const ended: string[] = [];
  let over = false;
  const entries = Object.entries(services);
  for (const [name, service] of entries) {
    void service.ended.then((how) => over || ended.push(`${name} ended with ${how}`));
    await readLag(service.metricsUrl); // the histogram begins anew with each reading
  }
  return {
    ended: () => ended,
    finish: async () => {
      over = true;
      const findings: Finding[] = [];
      const find = (lane: string, what: string, example = '') => findings.push({ lane, seed, what, example });
      for (const what of ended) find('services', what);
      const rows: string[][] = [];
      for (const [name, service] of entries) {
        const lag = await readLag(service.metricsUrl);
        if (lag && lag.p99 >= lagMs) find(name, `event loop lag p99 is ${lag.p99} ms`);
        if (lag && lag.max >= STAND_STILL_MS) find(name, `the event loop stood still for ${lag.max} ms`);
        const lines = errorLines(service.output());
        for (const line of lines.slice(0, MAX_LINES)) find(name, 'logged an error', line);
        const late = lag ? [`lag p99 ${lag.p99} ms`, `max ${lag.max} ms`] : ['is gone', ''];
        rows.push([name, ...late, `${lines.length} errors logged`]);
      }
      return { findings, rows };
    },
  };
}

async function readLag(metricsUrl: string): Promise<{ p99: number; max: number } | null> {
  const text = await fetch(`${metricsUrl}/metrics`).then(
    (answer) => answer.text(),
    () => null,
  );
  if (text === null) return null;
  const ms = (name: string) => {
    const seconds = new RegExp(`^nodejs_eventloop_lag_${name}_seconds\\{[^}]*\\} (\\S+)`, 'm').exec(
      text,
    )?.[1];
    if (seconds === undefined) throw new Error(`no nodejs_eventloop_lag_${name}_seconds in the metrics`);
    return Math.round(Number(seconds) * 1000);
  };
  return { p99: ms('p99'), max: ms('max') };
}

function errorLines(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line) || /^\s+at .+:\d+/.test(line));
}
