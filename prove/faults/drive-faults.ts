// Makes the faults of a plan at their times, heals each after its time, and notes both in the journal. The calendar moves
// beside them.

import { sleep } from '../../core/base/clock.ts';
import type { LogLine } from '../../local/servers/install.ts';
import type { Fault } from '../facts/run.ts';
import { walk } from '../../local/clock/walk.ts';
import { journalMs, type Journal } from '../journal.ts';
import type { Stack } from '../stack/stack.ts';
import type { PlannedFault } from './fault-kinds.ts';
import { makeFault, untilRecovered, type Made } from './make-fault.ts';

/** What driving needs. */
export interface FaultDriver {
  stack: Stack;
  journal: Journal;
  log: LogLine;
  /** The end of the load: what is there is healed, and no more is made. */
  signal: AbortSignal;
}

const RECOVERY_LIMIT_MS = 60_000; // after which the next round begins all the same, and the audit will say the rest
const SAVE_EVERY_MS = 12_000;
const HEAL_TRIES = 20;
const HEAL_PAUSE_MS = 500;

/**
 * Drives the plan from now on, and the calendar until the signal; resolves when everything is healed. The answer is what
 * the signal cut, or what was never made before it.
 */
export async function driveFaults(plan: PlannedFault[], driver: FaultDriver): Promise<PlannedFault[]> {
  const whole = new Set<string>();
  await Promise.all([passDays(driver), saveRedis(driver), drivePlan(plan, driver, whole)]);
  return plan.filter(({ id }) => !whole.has(id));
}

// What `redis-restore` brings back is as old as this, or twice as old.
async function saveRedis({ stack, signal }: FaultDriver): Promise<void> {
  while (!signal.aborted) {
    await stack.stores.redis.save().catch(() => {}); // a fault of Redis is there
    await sleep(SAVE_EVERY_MS, signal);
  }
}

async function drivePlan(plan: PlannedFault[], driver: FaultDriver, whole: Set<string>): Promise<void> {
  const { stack, signal, log } = driver;
  let startedAt = journalMs();
  for (const round of Map.groupBy(plan, (fault) => fault.round).values()) {
    await Promise.all(round.map((fault) => oneFault(driver, fault, startedAt, whole)));
    if (!(await untilRecovered(stack, RECOVERY_LIMIT_MS, signal)) && !signal.aborted)
      log(
        `not everything works again ${RECOVERY_LIMIT_MS / 1000} s after ${round.map(({ id }) => id).join(', ')}`,
      );
    if (signal.aborted) return;
    const end = Math.max(...round.map(({ at, lasts }) => at + lasts));
    startedAt = Math.max(startedAt, journalMs() - end); // a slow recovery moves what follows, and takes none of its pauses
  }
}

// Where clocks cannot be moved the run has the real day only.
async function passDays({ stack: { calendar }, log, signal }: FaultDriver): Promise<void> {
  if (calendar !== null) await walk({ calendar, log, signal });
}

async function oneFault(
  driver: FaultDriver,
  fault: PlannedFault,
  startedAt: number,
  whole: Set<string>,
): Promise<void> {
  const { stack, signal, log } = driver;
  await sleep(Math.max(0, startedAt + fault.at - journalMs()), signal);
  if (signal.aborted) return;
  const begunAt = journalMs();
  const made = await makeFault(stack, fault).catch((error: unknown): Made => broken(error));
  if (!made.made) {
    log(`${fault.kind} ${fault.target}: skipped, ${made.why}`);
    return note(driver, fault, { phase: 'skipped', pid: null, detail: made.why });
  }
  const { pid, detail } = made;
  note(driver, fault, { phase: 'begun', pid, detail }, begunAt);
  log(`${fault.kind} ${fault.target}${fault.lasts > 0 ? `, ${Math.round(fault.lasts / 1000)} s` : ''}`);
  await sleep(fault.lasts, signal);
  if (!signal.aborted) whole.add(fault.id);
  await untilHealed(made.heal, log);
  note(driver, fault, { phase: 'ended', pid, detail });
}

// What could not be made may have had some effect all the same, so it is no fault that was skipped.
function broken(error: unknown): Made {
  return { made: true, pid: null, detail: `not wholly made: ${String(error)}`, heal: () => {} };
}

// The store that is to be healed may not answer yet, when two faults met.
async function untilHealed(heal: () => Promise<void> | void, log: LogLine): Promise<void> {
  for (let tries = 1; tries <= HEAL_TRIES; tries++) {
    try {
      return await heal();
    } catch (error) {
      log(`healing, try ${tries}: ${String(error)}`);
      await sleep(HEAL_PAUSE_MS);
    }
  }
}

function note(
  { journal }: FaultDriver,
  { id, kind, target }: PlannedFault,
  what: Pick<Fault, 'phase' | 'pid' | 'detail'>,
  t?: number,
): void {
  journal.append({ kind: 'fault', fault: id, name: kind, target, ...what }, t);
}
