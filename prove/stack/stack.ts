// What a run starts, as the load and the faults see it.

import type { Calendar } from '../../local/clock/calendar.ts';

/** Which role a process has. */
export type Role = 'api' | 'sender' | 'inbound' | 'scheduler';

/** A process of ours, which is started again whenever it ends. */
export interface StackProcess {
  role: Role;
  /** For example `sender-2`. */
  name: string;
  pid(): number;
  /** SIGKILL. */
  kill(): void;
  /** SIGSTOP. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** Whether /readyz says yes. */
  isReady(): Promise<boolean>;
  /** Sets its clock off from the store's by this much; 0 is right again. The process sees it within a second. */
  setClockOff(ms: number): Promise<void>;
}

/** What can be done to a store that is a process. */
export interface StoreProcess {
  pid(): number;
  /** SIGKILL; it is started again at once, with the data that reached the disk. */
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Whether it answers, not through the proxy. */
  isUp(): Promise<boolean>;
}

/** PostgreSQL. */
export interface PostgresStore extends StoreProcess {
  /** As a failover to a standby leaves it: every session ends, new ones may only read. */
  setReadOnly(on: boolean): Promise<void>;
  /**
   * No table can grow. Writes that fit into pages which are there go on, as on a disk that is full. Null where the machine
   * forbids the mount that this needs.
   */
  setDiskFull: ((on: boolean) => Promise<void>) | null;
  /** Takes every connection; the answer gives them back. */
  takeConnections(): Promise<() => Promise<void>>;
  /** Locks a table against readers and writers; the answer ends it. */
  lockTable(table: string): Promise<() => Promise<void>>;
}

/** Redis. */
export interface RedisStore extends StoreProcess {
  flush(): Promise<void>;
  /** Keeps what Redis has now for `restore`. */
  save(): Promise<void>;
  /** Kills Redis; it comes back with what it had at the `save` before the last one. */
  restore(): Promise<void>;
}

/** NATS. */
export interface NatsStore extends StoreProcess {
  /** Kills NATS; it comes back with an empty disk. */
  erase(): Promise<void>;
}

/** The wire between our processes and one store. */
export interface Wire {
  /** Every byte is lost, in both directions, until it is mended; then the connections break. */
  drop(): Promise<void>;
  /** Every packet takes longer, give or take `jitterMs`. */
  delay(ms: number, jitterMs: number): Promise<void>;
  /** Every connection is reset; new ones work. */
  reset(): Promise<void>;
  mend(): Promise<void>;
}

/** The stores by name, where a fault meets a name. */
export type StoreName = 'postgres' | 'redis' | 'nats';

/** Where a client connects. */
export interface Endpoint {
  host: string;
  port: number;
}

/** Where clients reach one api. */
interface ApiEndpoint {
  /** `https://127.0.0.1:…` */
  origin: string;
  /** Submission with STARTTLS. */
  submission: Endpoint;
}

/** Everything of Postrider that runs, on loopback. */
export interface Stack {
  apis: ApiEndpoint[];
  /** gRPC of the senders. */
  senders: Endpoint[];
  inbounds: Endpoint[];
  /** Certificate authority (PEM file) of all of them. */
  caFile: string;
  /** Bearer token of gRPC. */
  internalToken: string;
  processes: StackProcess[];
  stores: { postgres: PostgresStore; redis: RedisStore; nats: NatsStore };
  /** Null where the machine has no toxiproxy. */
  wires: Record<StoreName, Wire> | null;
  /** Null where the machine has no libfaketime: clocks of processes cannot be moved then, nor the calendar. */
  calendar: Calendar | null;
  /** What cannot be done on this machine, and what to install for it. */
  missing: string[];
  /** Settings with which the command line and core's functions reach the same stores, not through the wires. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}
