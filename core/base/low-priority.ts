// Work that can wait: the CPU goes to others first.

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of this process, its threads and those that it starts from now on. On Linux a priority is a thread's
 * (setpriority(2), "C library/kernel differences"); elsewhere the process has one.
 */
export function lowerPriority(): void {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL;
  setPriority(priority);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {
      // it has ended meanwhile
    }
  }
}
