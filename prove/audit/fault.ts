// Which faults explain what.

import type { FaultSpan } from './evidence.ts';

const STOPS = ['kill', 'freeze', 'freeze-role'];

/** Whether a fault overlaps a time. */
export function overlaps(fault: FaultSpan, from: number, to: number): boolean {
  return fault.from <= to && fault.to >= from;
}

/** Whether a process stood still or died of it; without a name any of its role. */
export function stops({ name, target }: FaultSpan, role: string, process: string | null): boolean {
  if (!STOPS.includes(name)) return false;
  return target === role || (process === null ? target.startsWith(`${role}-`) : target === process);
}

/** Whether it is between our processes and PostgreSQL. */
export function meetsPostgres({ name, target }: FaultSpan): boolean {
  return target === 'postgres' || name.startsWith('postgres-');
}

/** Whether it is between our processes and Redis. */
export function meetsRedis({ name, target }: FaultSpan): boolean {
  return target === 'redis' || name.startsWith('redis-');
}
