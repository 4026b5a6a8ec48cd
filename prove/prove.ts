// One run: everything is started and set up, load and faults do their worst, everything comes to rest, and what is left is
// read over the public API. What was seen is in the journal; whether the promises were kept is the auditor's to say.

import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { nowDate } from '../core/base/clock.ts';
import type { RunBegun } from './facts/run.ts';
import { driveFaults } from './faults/drive-faults.ts';
import type { PlannedFault } from './faults/fault-kinds.ts';
import { planFaults } from './faults/plan-faults.ts';
import { openJournal, type Journal } from './journal.ts';
import { makeWorld, type World } from './load/accounts.ts';
import { driveLoad } from './load/drive-load.ts';
import { driveSecondDay } from './load/second-day.ts';
import { createHttp } from './load/http.ts';
import type { LoadSize } from './load/action.ts';
import { contactAddress, planLoad } from './load/plan-load.ts';
import { readEnd, readQuota, type ReadDeps } from './load/read-end.ts';
import { openReaders, watchAll } from './load/watch.ts';
import { startWebhooks } from './load/webhooks.ts';
import { tenantSpecs } from './load/world.ts';
import { startOutside } from './outside.ts';
import { createProgress } from './progress.ts';
import { settle, untilMorning } from './settle.ts';
import { canonical } from './spelling.ts';
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
  madeFor?: Partial<Pick<LoadSize, 'perSecond' | 'more' | 'copies' | 'victimsEveryMs' | 'resetsEveryMs'>> & {
    faults: PlannedFault[];
  };
}

const CONTACTS_PER_MINUTE = 20;
const REQUESTS_PER_SECOND = 9;
const LONG_MINUTES = 5; // a run as long as this sees a whole day without load and faults at its end
const REST_MS = 180_000; // docs/proof.md
const BUG_REST_MS = 60_000; // with a planted bug some mail may never come to rest, and nobody asks whether it does
const FOLLOWED_MS = 3_000; // what was listed last is followed by then

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
  const { seed, minutes, folder, bug, runDir, log, madeFor } = input;
  const progress = createProgress(openJournal(runDir, 'prover'), log);
  const { journal } = progress;
  const outside = await startOutside(runDir);
  undo.push(outside.stop);
  const webhooks = await startWebhooks(journal);
  undo.push(webhooks.close);
  const stack = await startStack({ folder, runDir, journal, outside, log });
  undo.push(stack.stop);
  for (const what of stack.missing) {
    journal.append({ kind: 'left_out', what });
    log(`left out: ${what}`);
  }
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
  const readers = openReaders(world.accounts, stack, http, reading.signal);
  const read: ReadDeps = { world, journal, readerOf: (account) => readers.get(account)!.rest };
  await Promise.all(world.accounts.map((one) => readQuota(journal, one, read.readerOf(one))));
  const { storeMs, onAnswer } = progress;
  const watching = orTrouble(
    watchAll(readers, { journal, signal: reading.signal, storeMs }),
    'what is read all the time',
    journal,
  );
  progress.start(outside);
  undo.push(progress.stop);

  const { faults: planned = planFaults(seed, minutes), ...size } = madeFor ?? {};
  const plan = planLoad(specs, { seed, seconds: minutes * 60, perSecond: REQUESTS_PER_SECOND, ...size });
  const loading = new AbortController();
  const driver = { stack, journal, log, signal: loading.signal };
  journal.append({ kind: 'phase', phase: 'load', settled: null });
  const faults = orTrouble(
    driveFaults(planned, driver).then((cut) => {
      if (madeFor && cut.length > 0) throw new Error(`${cut.map(({ id }) => id).join(', ')} not wholly made`);
    }),
    'the faults',
    journal,
  );
  const secondDay = orTrouble(
    driveSecondDay({ stack, world, journal, http, seed, storeMs, signal: loading.signal }),
    'the second day',
    journal,
  );
  await driveLoad({ stack, world, journal, http, seed, storeMs, onAnswer }, plan);
  loading.abort();
  await Promise.all([faults, secondDay]);

  journal.append({ kind: 'phase', phase: 'settle', settled: null });
  await untilMorning(driver, minutes < LONG_MINUTES ? 1 : 2);
  const settled = await settle({ read, progress, webhooks, limitMs: bug === null ? REST_MS : BUG_REST_MS });
  journal.append({ kind: 'phase', phase: 'read', settled });
  await orTrouble(readEnd(read), 'what is read at the end', journal);
  await wait(FOLLOWED_MS);
  reading.abort();
  await watching;
  journal.append({ kind: 'phase', phase: 'end', settled: null });
}

// What fails beside the load ends no run of twenty minutes: it stands in the journal, and the report says so.
function orTrouble(work: Promise<void>, of: string, journal: Journal): Promise<void> {
  return work.catch((error: unknown) => {
    journal.append({ kind: 'trouble', what: `${of}: ${String(error)}` });
  });
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
    tenants: accounts.map(({ tenant: id, spec: { name }, login, domains }) => ({
      id,
      name,
      owner: canonical(login.email),
      domains: domains.map(({ id: domainId, name: domain, tier, held }) => ({
        id: domainId,
        name: domain,
        tier,
        held,
      })),
    })),
  };
}
