// Asks the warm-up gate for admissions as fast as it answers: the gate as the sender has it, on one connection.

import { createLogger } from '../../core/base/log.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis } from '../../core/clients/redis.ts';
import { createGate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { serveWorker } from '../worker.ts';

/** How to ask. */
export interface GateLoad {
  redisUrl: string;
  keyPrefix: string;
  seconds: number;
  /** Requests (Redis calls) that one `admit` carries. */
  requests: number;
  /** Messages in each request. */
  messages: number;
  /** `admit` calls under way at a time. */
  inFlight: number;
}

/** What came of it. */
export interface GateLoadResult {
  decisions: number;
  undecided: number;
  seconds: number;
  /** CPU time of this process meanwhile. */
  cpuSeconds: number;
}

const CAP = 1_000_000_000; // never reached: every decision takes the longer way through the script
const PREPARED = 200_000; // ids made beforehand; making one costs as much as asking the gate about it

serveWorker({ run });

async function run(load: GateLoad): Promise<GateLoadResult> {
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'bench');
  const redis = await openRedis({ REDIS_URL: [load.redisUrl] }, log);
  const gate = createGate(redis, load.keyPrefix, log);
  const ids = Array.from({ length: PREPARED }, newUuid);
  const of = { tenantId: newUuid(), domainId: newUuid(), day: new Date().toISOString().slice(0, 10) };
  let asked = 0;
  let decided = 0;
  let undecided = 0;

  const makeRequest = (): GateRequest => ({
    ...of,
    cap: CAP,
    ordinaryCap: CAP,
    bulkCap: CAP,
    known: { used: 0, reserved: 0, bulkUsed: 0, bulkReserved: 0 },
    items: Array.from({ length: load.messages }, () => ({ id: nextId(), stream: 'transactional' as const })),
  });
  // A fresh id each time at the price of a concatenation: once around the prepared ones, their first half changes.
  const nextId = (): string => {
    const id = ids[asked % PREPARED] ?? '';
    const round = Math.floor(asked / PREPARED);
    asked += 1;
    return round === 0 ? id : round.toString(16).padStart(8, '0') + id.slice(8);
  };
  await gate.admit([makeRequest()]); // loads and seeds
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const worker = async () => {
    while (performance.now() < endsAt) {
      const verdicts = await gate.admit(Array.from({ length: load.requests }, makeRequest));
      for (const verdict of verdicts) {
        if (verdict.decided) decided += verdict.allowed.length;
        else undecided += load.messages;
      }
    }
  };
  await Promise.all(Array.from({ length: load.inFlight }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await redis.close();
  return { decisions: decided, undecided, seconds, cpuSeconds: (user + system) / 1e6 };
}
