// Where a run ran, and with what.

import { cpus, release, totalmem, type } from 'node:os';

import { findBinary } from '../../local/servers/find-binary.ts';
import { NATS_BINARY } from '../../local/servers/nats.ts';
import { POSTGRES_BINARY } from '../../local/servers/postgres.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';

/** The machine and the versions of what ran on it. */
export interface Machine {
  system: string;
  cpus: string;
  memory_mib: number;
  node: string;
  /** Major and minor version of each store; null where it was not found on this machine. */
  stores: Record<string, string | null>;
}

/** Asks the machine. */
export async function describeMachine(): Promise<Machine> {
  const all = cpus();
  const found = await Promise.all(
    [POSTGRES_BINARY, REDIS_BINARY, NATS_BINARY].map((spec) => findBinary(spec)),
  );
  const [postgres, redis, nats] = found.map((one) => one?.version.join('.') ?? null);
  return {
    system: `${type()} ${release()}`,
    cpus: `${all.length} × ${all[0]?.model ?? 'unknown'}`,
    memory_mib: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    stores: { postgres: postgres!, redis: redis!, nats: nats! },
  };
}
