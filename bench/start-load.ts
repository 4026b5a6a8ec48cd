// Part "start": how long each service takes from nothing to ready, and what a stack that does nothing holds in memory.

import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { sleep } from '../core/base/clock.ts';
import type { Figure } from './figure.ts';
import { median } from './median.ts';
import type { Bench } from './stack/bench.ts';
import { readTree } from './stack/process-tree.ts';
import type { Service } from './stack/service.ts';
import { startStack, type Stack } from './stack/stack.ts';

const COLD_START_MS = 1_000;
const IDLE_MB = 600; // services, PostgreSQL, Redis and NATS together
const ROUNDS = 5;
const QUICK_ROUNDS = 2;
const SETTLE_MS = 15_000; // pools have closed what they opened for the start
const QUICK_SETTLE_MS = 5_000;

/** Runs the part. */
export async function measureStart(bench: Bench): Promise<Figure[]> {
  const { quick } = bench.options;
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../local/bundle/main.ts')]);
  const cache = join(bench.folder, 'start-cache');
  const bundled: Service[] = [];
  const cold: Service[] = [];
  const warm: Service[] = [];
  let idle: Memory[] = [];
  for (let round = 1; round <= (quick ? QUICK_ROUNDS : ROUNDS); round++) {
    await rm(cache, { recursive: true, force: true });
    await mkdir(cache, { recursive: true });
    bundled.push(...(await start(bench, { bundled: true }, async () => {})));
    cold.push(...(await start(bench, { compileCache: cache }, async () => {})));
    const settled = async (stack: Stack) => {
      if (round > 1) return;
      await sleep(quick ? QUICK_SETTLE_MS : SETTLE_MS);
      idle = await readMemory(bench, stack);
    };
    warm.push(...(await start(bench, { compileCache: cache }, settled)));
  }
  const text = idle.map(({ name, mb }) => `${name} ${Math.round(mb)}`).join(', ');
  return [
    ...[...new Set(cold.map(({ name }) => name))].map((name) => toFigure(name, { bundled, cold, warm })),
    {
      id: 'start.idle',
      what: 'Memory of the whole stack when idle',
      detail: text,
      value: idle.reduce((sum, { mb }) => sum + mb, 0),
      unit: 'MB',
      target: { atMost: IDLE_MB },
    },
  ];
}

async function start(
  bench: Bench,
  how: { bundled?: true; compileCache?: string },
  then: (stack: Stack) => Promise<void>,
): Promise<Service[]> {
  const stack = await startStack(bench, {
    part: 'start',
    api: true,
    scheduler: true,
    inbound: true,
    ...how,
  });
  try {
    await then(stack);
    return servicesOf(stack);
  } finally {
    await stack.close();
  }
}

function servicesOf(stack: Stack): Service[] {
  return [...stack.senders, stack.api, stack.inbound, stack.scheduler].filter((one) => one !== null);
}

function toFigure(name: string, starts: Record<'bundled' | 'cold' | 'warm', Service[]>): Figure {
  const of = (services: Service[]) =>
    Math.round(median(services.filter((one) => one.name === name).map(({ readyMs }) => readyMs)));
  return {
    id: `start.${name}`,
    what: `From nothing to ready: ${name}, as in the image`,
    detail: `from its sources ${of(starts.cold)} ms, again with what that compiled ${of(starts.warm)} ms`,
    value: of(starts.bundled),
    unit: 'ms',
    target: { atMost: COLD_START_MS },
  };
}

interface Memory {
  name: string;
  mb: number;
}

// Each page counts once: what processes share is divided among them (PSS).
async function readMemory(bench: Bench, stack: Stack): Promise<Memory[]> {
  const roots = [
    ...servicesOf(stack).map(({ name, pid }) => ({ name, pid })),
    ...Object.entries(bench.servers.pids()).map(([name, pid]) => ({ name, pid })),
  ];
  const all = await Promise.all(
    roots.map(async ({ name, pid }) => {
      const sizes = await Promise.all((await readTree(pid)).map(sharedOutMb));
      return { name, mb: sizes.reduce((sum, mb) => sum + mb, 0) };
    }),
  );
  return all.toSorted((a, b) => b.mb - a.mb);
}

async function sharedOutMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}
