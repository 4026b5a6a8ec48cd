// One run: everything is started and set up, load and faults do their worst, everything comes to rest, and what is left is
// read over the public API. What was seen is in the journal; whether the promises were kept is the auditor's to say.

import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

import { nowDate } from '../core/base/clock.ts';
import { seeded } from '../local/simulate/behaviour.ts';
import { driveFaults } from './faults/drive-faults.ts';
import type { PlannedFault } from './faults/fault-kinds.ts';
import { planFaults } from './faults/plan-faults.ts';
import { openJournal, type RunBegun } from './journal.ts';
import { makeWorld, type World } from './load/accounts.ts';
import { driveLoad } from './load/drive-load.ts';
import { createHttp } from './load/http.ts';
import { contactAddress, planLoad, type LoadSize } from './load/plan-load.ts';
import { createReader } from './load/read.ts';
import { readEnd, readerOf, readQuota, type ReadDeps } from './load/read-end.ts';
import { followEvents, watchCaps } from './load/watch.ts';
import { startWebhooks } from './load/webhooks.ts';
import { tenantSpecs } from './load/world.ts';
import { startOutside } from './outside.ts';
import { createProgress } from './progress.ts';
import { settle, untilMorning } from './settle.ts';
import { startStack } from './stack/start-stack.ts';

/** What to prove. */
export interface RunInput {
  seed: number;
  minutes: number;
  /** The checkout whose services run. */
  folder: string;
  /** Name of the bug that is planted there; null for what ships. */
  bug: string | null;
  /** Where journal, logs and data go. */
  runDir: string;
  log: (line: string) => void;
  /** Other load and faults than those that follow from the seed. */
  madeFor?: Partial<Pick<LoadSize, 'perSecond' | 'more' | 'copies'>> & { faults: PlannedFault[] };
}

const CONTACTS_PER_MINUTE = 20;
const REQUESTS_PER_SECOND = 8;

/** Runs, and leaves the journal in `runDir`. */
export async function runOnce(input: RunInput): Promise<void> {
  const undo: (() => unknown)[] = [];
  try {
    await run(input, undo);
  } finally {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  }
}

async function run(input: RunInput, undo: (() => unknown)[]): Promise<void> {
  const { seed, minutes, folder, runDir, log, madeFor } = input;
  const progress = createProgress(openJournal(runDir, 'prover'), log);
  const { journal } = progress;
  const outside = await startOutside(runDir);
  undo.push(outside.stop);
  const webhooks = await startWebhooks(journal, seeded(seed + 2));
  undo.push(webhooks.close);
  const stack = await startStack({ folder, runDir, journal, outside, log });
  undo.push(stack.stop);
  for (const what of stack.missing) log(`left out: ${what}`);
  const { http, close } = createHttp(stack.caFile);
  undo.push(close);

  const specs = tenantSpecs(Math.round(CONTACTS_PER_MINUTE * minutes));
  const make = { stack, outside, http, webhookUrl: webhooks.url, contact: contactAddress };
  const world = await makeWorld(make, specs);
  for (const { spec, secret } of world.accounts) if (secret) webhooks.trust(spec.name, secret);
  journal.append(runBegun(input, world));
  log(`${world.accounts.length} tenants with ${world.accounts.flatMap((one) => one.domains).length} domains`);

  const reading = new AbortController();
  undo.push(() => reading.abort());
  const origins = stack.apis.map(({ origin }) => origin);
  const read: ReadDeps = { world, journal, http, origins, signal: reading.signal };
  await Promise.all(world.accounts.map((one) => readQuota(journal, one, readerOf(read, one))));
  const watching = watch(read);
  progress.start(outside);
  undo.push(progress.stop);

  const { storeMs, onAnswer } = progress;
  const { faults: planned = planFaults(seed, minutes), ...size } = madeFor ?? {};
  const plan = planLoad(specs, { seed, seconds: minutes * 60, perSecond: REQUESTS_PER_SECOND, ...size });
  const loading = new AbortController();
  const driver = { stack, journal, log, signal: loading.signal };
  journal.append({ kind: 'phase', phase: 'load', settled: null });
  const faults = driveFaults(planned, driver);
  await driveLoad({ stack, world, journal, http, seed, storeMs, onAnswer }, plan);
  loading.abort();
  await faults;

  journal.append({ kind: 'phase', phase: 'settle', settled: null });
  await untilMorning(driver);
  const settled = await settle({ read, progress, webhooks });
  journal.append({ kind: 'phase', phase: 'read', settled });
  await readEnd(read);
  reading.abort();
  await watching;
  journal.append({ kind: 'phase', phase: 'end', settled: null });
}

async function watch(read: ReadDeps): Promise<void> {
  const { world, journal, http, origins, signal } = read;
  await Promise.all(
    world.accounts.flatMap((account) => {
      const [first, second] = account.readKeys.map(({ value }) =>
        createReader(http, origins, [value], signal),
      );
      return [followEvents(journal, account, first!, signal), watchCaps(journal, account, second!, signal)];
    }),
  );
}

function runBegun({ seed, minutes, bug, runDir }: RunInput, { accounts }: World): RunBegun {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname })
    .toString()
    .trim();
  return {
    kind: 'run',
    run: basename(runDir),
    seed,
    minutes,
    commit,
    bug,
    startedAt: nowDate().toISOString(),
    tenants: accounts.map(({ tenant: id, spec: { name }, domains }) => ({
      id,
      name,
      domains: domains.map(({ id: domainId, name: domain, tier }) => ({ id: domainId, name: domain, tier })),
    })),
  };
}
