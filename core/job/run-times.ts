// The run times of a job. croner knows cron patterns; here they are asked about times that are given, so that
// no clock is read and nothing is ever scheduled by a timer of the library.

import { Cron } from 'croner';

import { jobTime, type JobName } from './job-names.ts';

const LONGEST_CATCH_UP = 7; // run times: a week of downtime; older days say nothing about a domain of today

/** The last run time at or before a time. */
export function latestRunTime(name: JobName, now: Date): Date {
  const [time] = pattern(name).previousRuns(1, justAfter(now));
  if (!time) throw new Error(`the pattern of ${name} never fires`);
  return time;
}

/** The first run time after a time. */
export function nextRunTime(name: JobName, now: Date): Date {
  const time = pattern(name).nextRun(now);
  if (!time) throw new Error(`the pattern of ${name} never fires`);
  return time;
}

/** The run times that are due now, oldest first: those after `lastDone` and not after `now`, as the job catches them up. */
export function runTimesDue(name: JobName, lastDone: Date, now: Date): Date[] {
  const missed = pattern(name)
    .previousRuns(LONGEST_CATCH_UP, justAfter(now))
    .filter((time) => time > lastDone)
    .reverse();
  return jobTime(name).catchUp === 'each' ? missed : missed.slice(-1);
}

function pattern(name: JobName): Cron {
  return new Cron(jobTime(name).cron, { timezone: 'UTC', paused: true });
}

// croner's previousRuns excludes the reference itself.
function justAfter(time: Date): Date {
  return new Date(time.getTime() + 1);
}
