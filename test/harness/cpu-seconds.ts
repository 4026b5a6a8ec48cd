// What a test file costs: CPU of this process and of all that it started and waited for, since the last file here.

import { readFileSync } from 'node:fs';

const TICKS = 100; // a second of /proc/self/stat (USER_HZ, proc(5))
const [UTIME, CUTIME_END] = [13, 17]; // utime, stime, cutime and cstime are fields 14 to 17

let counted = 0;

/** Seconds since the last call in this process, or since it began; 0 where there is no /proc. */
export function cpuSeconds(): number {
  const all = spent();
  const since = all - counted;
  counted = all;
  return since;
}

function spent(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name may have spaces: from the third field on
    const ticks = fields.slice(UTIME - 2, CUTIME_END - 2).map(Number);
    return ticks.reduce((sum, one) => sum + one, 0) / TICKS;
  } catch {
    return 0;
  }
}
