// Part "memory": a steady stream through api and sender to the sink, and what the two hold in memory meanwhile.

import { monotonicMs, sleep } from '../core/base/clock.ts';
import type { Figure } from './figure.ts';
import { readMetric, runK6 } from './k6-run.ts';
import type { Bench } from './stack/bench.ts';
import { residentMb } from './stack/service.ts';
import { startStack } from './stack/stack.ts';

// A second. More than is delivered would measure a backlog: two slow cores kept up with 250 for an hour, not with 280.
const RATE = 250;
const SECONDS = 30;
const QUICK_SECONDS = 12;
const MILLION = 1_000_000;
const GROWTH_PERCENT = 10; // what the garbage collector's own breathing may come to
const SAMPLE_MS = 500;
const PROGRESS_MS = 60_000;

/** Memory of one process, MB, at one moment of the run (0 to 1). */
export interface Sample {
  at: number;
  mb: number;
}

/** Runs the part. */
export async function measureMemory(bench: Bench): Promise<Figure[]> {
  const { quick, million } = bench.options;
  const seconds = million ? Math.ceil(MILLION / RATE) : quick ? QUICK_SECONDS : SECONDS;
  const stack = await startStack(bench, { api: true, part: 'memory' });
  try {
    const senders = stack.senders.map(({ pid }, n) => ({
      pid,
      name: n === 0 ? 'sender' : `sender ${n + 1}`,
    }));
    const watched = [...senders, ...(stack.api ? [{ pid: stack.api.pid, name: 'api' }] : [])];
    const watching = watched.map((process) => ({ ...process, samples: [] as Sample[] }));
    const startedAt = monotonicMs();
    const ended = new AbortController();
    const watch = (async () => {
      let toldAt = startedAt;
      while (!ended.signal.aborted) {
        const now = monotonicMs();
        const at = Math.min(1, (now - startedAt) / (seconds * 1000));
        for (const { pid, samples } of watching) samples.push({ at, mb: await residentMb(pid) });
        if (now - toldAt >= PROGRESS_MS) {
          toldAt = now;
          const { messages } = await stack.sink.counts();
          const memory = watching.map(({ name, samples }) => `${name} ${samples.at(-1)?.mb.toFixed(0)} MB`);
          bench.log(`memory: ${(at * 100).toFixed(0)} %, ${messages} delivered, ${memory.join(', ')}`);
        }
        await sleep(SAMPLE_MS, ended.signal);
      }
    })();
    const summary = await runK6(bench, stack, 'steady', { RATE: `${RATE}`, SECONDS: `${seconds}` });
    ended.abort();
    await watch;
    const accepted = readMetric(summary, 'accepted', 'count');
    const { messages } = await stack.sink.counts();
    bench.log(`memory: ${accepted} messages accepted, ${messages} delivered so far`);
    return watching.flatMap(({ name, samples }) => toFigures(name, samples, accepted, million));
  } finally {
    await stack.close();
  }
}

// The target is for a million messages: in half a minute a heap has not found its size yet.
function toFigures(name: string, samples: Sample[], accepted: number, million: boolean): Figure[] {
  const start = medianBetween(samples, 0.1, 0.25);
  const middle = medianBetween(samples, 0.45, 0.6);
  const end = medianBetween(samples, 0.85, 1);
  const id = `memory.${name.replace(' ', '')}`;
  const steps = [start, middle, end].map((mb) => mb.toFixed(0)).join(' → ');
  return [
    {
      id: `${id}.growth`,
      what: `Growth of ${name} from the middle to the end`,
      detail: `${steps} MB over ${accepted.toLocaleString('en-US')} messages`,
      value: Math.max(0, (end / middle - 1) * 100),
      unit: '%',
      ...(million && { target: { atMost: GROWTH_PERCENT } }),
    },
    { id: `${id}.end`, what: `Memory of ${name} at the end`, value: end, unit: 'MB' },
  ];
}

/** The median of the samples taken in a stretch of the run. */
export function medianBetween(samples: Sample[], from: number, to: number): number {
  const inside = samples.filter(({ at }) => at >= from && at <= to).map(({ mb }) => mb);
  return inside.toSorted((a, b) => a - b)[Math.floor(inside.length / 2)] ?? Number.NaN;
}
