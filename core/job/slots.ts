// When the slots of a job are. croner knows cron patterns; here they are asked about times that are given, so that
// no clock is read and nothing is ever scheduled by a timer of the library.

import { Cron } from 'croner';

import { jobTime, type JobName } from './job-names.ts';

const LONGEST_CATCH_UP = 7; // slots: a week of downtime; older days say nothing about a domain of today

/** The last slot at or before a time. */
export function latestSlot(name: JobName, now: Date): Date {
  const [slot] = pattern(name).previousRuns(1, justAfter(now));
  if (!slot) throw new Error(`the pattern of ${name} never fires`);
  return slot;
}

/** The first slot after a time. */
export function nextSlot(name: JobName, now: Date): Date {
  const slot = pattern(name).nextRun(now);
  if (!slot) throw new Error(`the pattern of ${name} never fires`);
  return slot;
}

/** The slots to run now, oldest first: those after `lastDone` and not after `now`, as the job catches them up. */
export function slotsToRun(name: JobName, lastDone: Date, now: Date): Date[] {
  const missed = pattern(name)
    .previousRuns(LONGEST_CATCH_UP, justAfter(now))
    .filter((slot) => slot > lastDone)
    .reverse();
  return jobTime(name).catchUp === 'each' ? missed : missed.slice(-1);
}

function pattern(name: JobName): Cron {
  return new Cron(jobTime(name).cron, { timezone: 'UTC', paused: true });
}

// croner looks strictly before the reference.
function justAfter(time: Date): Date {
  return new Date(time.getTime() + 1);
}
