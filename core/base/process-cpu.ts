// How much processor time a process took.

import { readFileSync } from 'node:fs';

const MS_A_TICK = 10; // USER_HZ is 100 (proc(5))
const [UTIME, STIME] = [11, 12]; // fields 14 and 15, counted after the name of the program, which may have spaces

/** Milliseconds of processor time of a process so far, to 10 ms; null where there is no /proc, or no such process. */
export function processCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) * MS_A_TICK;
  } catch {
    return null;
  }
}
