// Every lane, and what they try together.

import { monotonicMs } from '../../core/base/clock.ts';
import { dsn } from './dsn.ts';
import { graphql } from './graphql.ts';
import type { Finding, Lane } from './lane.ts';
import { liquid } from './liquid.ts';
import { mime } from './mime.ts';
import { readers } from './readers.ts';
import { rest } from './rest.ts';
import { smtp } from './smtp.ts';
import { watchServices } from './watch-services.ts';
import type { FuzzWorld } from './world.ts';

/** Every lane. */
export const LANES: readonly Lane[] = [smtp, mime, graphql, rest, liquid, dsn, readers];

/** What to try. */
export interface FuzzPlan {
  lanes: readonly Lane[];
  seed: number;
  seconds: number;
  /** Most of the event loop's lag, at the 99th percentile of the whole run, that is no finding. */
  lagMs: number;
  /** Called every few seconds with a line of where the run is. */
  progress(line: string): void;
}

/** What was tried and found. */
export interface FuzzReport {
  /** Cases by lane. */
  cases: Record<string, number>;
  findings: Finding[];
  /** The report for people: a row for each lane and each service. */
  table: string;
}

const PROGRESS_MS = 5_000;

/** Runs all lanes side by side, then looks at what the services have to say. */
export async function fuzz(world: FuzzWorld, plan: FuzzPlan): Promise<FuzzReport> {
  const startedAt = monotonicMs();
  const watch = await watchServices(world, plan);
  const cases = Object.fromEntries(plan.lanes.map(({ name }) => [name, 0]));
  const seconds = () => Math.round((monotonicMs() - startedAt) / 1000);
  const tick = setInterval(() => {
    const counts = Object.entries(cases).map(([name, count]) => `${name} ${count}`);
    plan.progress(`${seconds()} s: ${counts.join(', ')}`);
  }, PROGRESS_MS);
  const untilMs = startedAt + plan.seconds * 1000;
  const found = await Promise.all(
    plan.lanes.map((lane) =>
      lane.run(world, {
        seed: plan.seed,
        untilMs,
        count: () => void cases[lane.name]!++,
        stopped: () => watch.ended().length > 0,
      }),
    ),
  );
  clearInterval(tick);
  const { findings, rows } = await watch.finish();
  const all = [...found.flat(), ...findings];
  const ofLane = (name: string) => found.flat().filter((one) => one.lane === name).length;
  const table = [
    `seed ${plan.seed}, ${seconds()} s, ${all.length} findings`,
    ...plan.lanes.map(({ name }) => row(name, `${cases[name]} cases`, `${ofLane(name)} findings`)),
    ...rows.map(([service, ...cells]) => row(service!, ...cells)),
  ].join('\n');
  return { cases, findings: all, table };
}

function row(...cells: string[]): string {
  return cells.map((cell) => cell.padEnd(22)).join('');
}
