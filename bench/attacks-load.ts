// Part "attacks": clients without an account try to stop an api. What another client waits for an answer on a new
// connection meanwhile, and what the api's memory grows by.

import { readdirSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

import { monotonicMs, sleep } from '../core/base/clock.ts';
import { buildDashboardIfStale } from '../dashboard/build.ts';
import type { Figure } from './figure.ts';
import { percentile } from './campaign-load.ts';
import type { Bench } from './stack/bench.ts';
import { residentMb, type Service } from './stack/service.ts';
import { startStack } from './stack/stack.ts';
import { startWorker } from './worker.ts';

const ATTACKS = {
  headers: '15 kB of blanks in Accept-Encoding, 16 requests a second',
  streams: 'HTTP/2 with window 0, 40 connections, 100 requests each',
  unread: 'HTTP/1.1 that never reads, 400 connections',
  connections: '100 new connections a second that stay open',
};
const SECONDS = 45; // longer than a response may be without progress
const QUICK_SECONDS = 10;
const WARM_UP_SECONDS = 3; // of the attack, and then of probes: an api that runs has compiled its code
const PROBE_EVERY_MS = 100;
const PROBE_LIMIT_MS = 20_000;
const OTHER = '127.0.0.2'; // another client than the attacker
const MOST_P99_MS = 300;
const MOST_MB = 100;

/** Runs the part. */
export async function measureAttacks(bench: Bench): Promise<Figure[]> {
  await buildDashboardIfStale(bench.log);
  const seconds = bench.options.quick ? QUICK_SECONDS : SECONDS;
  const figures: Figure[] = [];
  for (const [attack, how] of Object.entries(ATTACKS)) {
    const stack = await startStack(bench, { api: true, part: 'attacks', connectionsPerAddress: 200 });
    const attacker = startWorker('attacker');
    try {
      const port = Number(new URL(stack.apiUrl).port);
      const of = { port, asset: assetPath() };
      await attacker.ask<number>(attack, { ...of, seconds: WARM_UP_SECONDS });
      await probe(port, WARM_UP_SECONDS * 1000, stack.api!);
      const before = await residentMb(stack.api!.pid);
      const attacking = attacker.ask<number>(attack, { ...of, seconds });
      const { waits, mostMb } = await probe(port, seconds * 1000, stack.api!);
      const left = await attacking;
      const detail = `${how}; ${waits.length} probes, ${left} connections of the attacker open at the end`;
      figures.push(
        {
          id: `attack-${attack}-p99`,
          what: `p99 of another client during "${attack}"`,
          value: percentile(waits, 99),
          unit: 'ms',
          target: { atMost: MOST_P99_MS },
          detail,
        },
        {
          id: `attack-${attack}-memory`,
          what: `Memory of the api during "${attack}", growth`,
          value: mostMb - before,
          unit: 'MB',
          target: { atMost: MOST_MB },
          detail: `from ${before.toFixed(0)} MB`,
        },
      );
    } finally {
      await attacker.stop();
      await stack.close();
    }
  }
  return figures;
}

async function probe(port: number, ms: number, api: Service): Promise<{ waits: number[]; mostMb: number }> {
  const waits: number[] = [];
  let mostMb = 0;
  const asked: Promise<void>[] = [];
  for (const until = monotonicMs() + ms; monotonicMs() < until; await sleep(PROBE_EVERY_MS)) {
    asked.push(answerMs(port).then((wait) => void waits.push(wait)));
    if (asked.length % 10 === 0) mostMb = Math.max(mostMb, await residentMb(api.pid));
  }
  await Promise.all(asked);
  return { waits, mostMb };
}

// One that fails, or is not answered in time, waited for as long as that.
function answerMs(port: number): Promise<number> {
  const startedAt = monotonicMs();
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/healthz',
      localAddress: OTHER,
      rejectUnauthorized: false,
    };
    const outgoing = request({ ...options, agent: false, timeout: PROBE_LIMIT_MS }, (incoming) => {
      incoming.resume().once('end', () => resolve(monotonicMs() - startedAt));
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(PROBE_LIMIT_MS));
    outgoing.end();
  });
}

function assetPath(): string {
  const names = readdirSync(join(import.meta.dirname, '../dashboard/dist/assets'));
  const name = names.find((one) => one.endsWith('.js') && names.includes(`${one}.br`));
  if (name === undefined) throw new Error('the dashboard has no compressed script');
  return `/assets/${name}`;
}
