// Every kind of fault: what it can meet, how long it lasts, and how long the service then has for itself.

import { PROCESS_NAMES, ROLES } from '../stack/process-names.ts';

const PROCESSES = PROCESS_NAMES.map(({ name }) => name);
const STORES = ['postgres', 'redis', 'nats'];

/** What the planner knows of a kind. */
export interface KindOfFault {
  /** Names of processes, of roles (all of its processes at once) or of stores. */
  targets: readonly string[];
  /** Shortest and longest time; 0 for what is over at once. */
  seconds: readonly [number, number];
}

/** All kinds. A freeze of one process may also outlast the lease of a sender: see plan-faults.ts. */
export const FAULT_KINDS = {
  kill: { targets: [...PROCESSES, ...ROLES], seconds: [0, 0] },
  freeze: { targets: PROCESSES, seconds: [2, 9] },
  'freeze-role': { targets: ROLES, seconds: [2, 6] },
  'clock-off': { targets: PROCESSES, seconds: [8, 20] },
  'postgres-crash': { targets: ['postgres'], seconds: [0, 0] },
  'postgres-freeze': { targets: ['postgres'], seconds: [2, 9] },
  'postgres-read-only': { targets: ['postgres'], seconds: [3, 10] },
  'postgres-disk-full': { targets: ['postgres'], seconds: [3, 10] },
  'postgres-no-connections': { targets: ['postgres'], seconds: [3, 9] },
  'postgres-lock': { targets: ['messages', 'domains', 'tenants', 'events'], seconds: [2, 8] },
  'redis-flush': { targets: ['redis'], seconds: [0, 0] },
  'redis-restore': { targets: ['redis'], seconds: [0, 0] },
  'redis-kill': { targets: ['redis'], seconds: [0, 0] },
  'redis-freeze': { targets: ['redis'], seconds: [2, 9] },
  'nats-erase': { targets: ['nats'], seconds: [0, 0] },
  'nats-freeze': { targets: ['nats'], seconds: [2, 9] },
  'packets-dropped': { targets: STORES, seconds: [2, 8] },
  'packets-delayed': { targets: STORES, seconds: [5, 12] },
  'connections-reset': { targets: STORES, seconds: [0, 0] },
} as const satisfies Record<string, KindOfFault>;

/** The name of a kind, as it stands in the journal. */
export type FaultKind = keyof typeof FAULT_KINDS;

/** One fault of a plan. */
export interface PlannedFault {
  /** Unique in the plan. */
  id: string;
  kind: FaultKind;
  target: string;
  /** Milliseconds after the start of the load. */
  at: number;
  lasts: number;
  /** Faults of one round overlap; the next round waits until all of them are healed. */
  round: number;
}
