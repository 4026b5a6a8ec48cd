// Faults from their begin to their end, and which of them explain what.

import type { Fault } from '../facts/run.ts';

/** A fault from its begin to its end. */
export interface FaultSpan {
  name: string;
  target: string;
  from: number;
  to: number;
}

/** Puts faults that were made into `faults`, and what this machine could not make into `skipped`. */
export function createFaultReader(faults: FaultSpan[], skipped: Fault[]) {
  const open = new Map<string, FaultSpan>();
  return {
    readFault(entry: Fault & { t: number }): void {
      const { phase, fault, name, target, t } = entry;
      switch (phase) {
        case 'begun': {
          const span = { name, target, from: t, to: Infinity };
          open.set(fault, span);
          faults.push(span);
          return;
        }
        case 'ended': {
          const span = open.get(fault);
          if (span) span.to = t;
          return;
        }
        case 'skipped':
          skipped.push(entry);
          return;
        default:
          return phase satisfies never;
      }
    },
  };
}

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
