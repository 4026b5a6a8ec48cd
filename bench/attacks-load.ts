// Part "attacks": clients without an account try to stop an api. What another client waits for an answer on a new
// connection meanwhile, and what the api's memory grows by.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { sleep } from '../core/base/clock.ts';
import { buildDashboardIfStale } from '../dashboard/build.ts';
import type { Figure } from './figure.ts';
import { percentile } from './campaign-load.ts';
import type { Bench } from './stack/bench.ts';
import { startProbe } from './stack/probe.ts';
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
      const warming = startProbe(port, stack.api!.pid);
      await sleep(WARM_UP_SECONDS * 1000);
      await warming.stop();
      const probe = startProbe(port, stack.api!.pid);
      const attacking = attacker.ask<number>(attack, { ...of, seconds });
      await sleep(seconds * 1000);
      const { waits, grownMb } = await probe.stop();
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
          value: grownMb,
          unit: 'MB',
          target: { atMost: MOST_MB },
        },
      );
    } finally {
      await attacker.stop();
      await stack.close();
    }
  }
  return figures;
}

function assetPath(): string {
  const names = readdirSync(join(import.meta.dirname, '../dashboard/dist/assets'));
  const name = names.find((one) => one.endsWith('.js') && names.includes(`${one}.br`));
  if (name === undefined) throw new Error('the dashboard has no compressed script');
  return `/assets/${name}`;
}
