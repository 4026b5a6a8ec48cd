// The processes that a process started, by /proc.

import { readFileSync } from 'node:fs';

/** Pids of the children of a process. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return []; // it is gone
  }
}
