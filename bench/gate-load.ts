// Part "gate": decisions per second through sender/accept/gate/gate.ts, beside redis-benchmark with the same script and
// pipelining. One message per call is the hardest shape; 50 per call is what a busy sender's batches look like.

import type { Figure } from './figure.ts';
import { measureRedis } from './redis-benchmark.ts';
import type { Bench } from './stack/bench.ts';
import { cpuSeconds } from './stack/cpu-time.ts';
import { startWorker } from './worker.ts';
import type { GateLoad, GateLoadResult } from './workers/gate-client.ts';

const SECONDS = 5;
const QUICK_SECONDS = 2;
const IN_FLIGHT = 4; // admit calls of ours, connections of redis-benchmark
// Targets are for the first, the harder one. In the second the making of ids for 50 messages is most of the work.
const SHAPES = [
  { name: 'one message a call', requests: 64, messages: 1, share: { target: { atLeast: 60 } } },
  { name: '50 messages a call', requests: 8, messages: 50, share: {} },
] as const;
const DECISIONS_PER_SECOND = 50_000;

/** Runs the part. */
export async function measureGate(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const shape of SHAPES) {
    const { perSecond: ours, cpu } = await askGate(bench, shape);
    bench.log(`gate, ${shape.name}: ${Math.round(ours)} decisions/s`);
    const raw = await askRedis(bench, shape);
    bench.log(`redis-benchmark, ${shape.name}: ${Math.round(raw)} decisions/s`);
    const id = `gate.${shape.messages}`;
    const how = { what: 'redis-benchmark, same script and pipelining', value: raw, unit: '/s' as const };
    figures.push(
      {
        id,
        what: `Gate decisions, ${shape.name}`,
        detail: `${IN_FLIGHT} × ${shape.requests} calls pipelined`,
        value: ours,
        unit: '/s',
        target: { atLeast: DECISIONS_PER_SECOND },
        raw: how,
      },
      {
        id: `${id}.cpu`,
        what: `CPU time of 1,000 decisions, ${shape.name}`,
        value: cpu.client + cpu.redis,
        unit: 'ms',
        parts: cpu,
      },
      {
        id: `${id}.share`,
        what: `Share of redis-benchmark, ${shape.name}`,
        value: (ours / raw) * 100,
        unit: '%',
        ...shape.share,
      },
    );
  }
  return figures;
}

interface Asked {
  perSecond: number;
  /** Milliseconds for 1,000 decisions, by process. */
  cpu: { client: number; redis: number };
}

async function askGate(bench: Bench, shape: { requests: number; messages: number }): Promise<Asked> {
  const redis = bench.servers.pids()['redis'] ?? 0;
  const before = await cpuSeconds([redis]);
  const worker = startWorker('gate-client');
  try {
    const result = await worker.ask<GateLoadResult>('run', {
      redisUrl: bench.servers.redisUrl,
      keyPrefix: bench.freshName(),
      seconds: bench.options.quick ? QUICK_SECONDS : SECONDS,
      requests: shape.requests,
      messages: shape.messages,
      inFlight: IN_FLIGHT,
    } satisfies GateLoad);
    if (result.undecided > 0) bench.log(`note: ${result.undecided} decisions came too late to count`);
    const cost = (seconds: number) => (seconds / result.decisions) * 1e6;
    return {
      perSecond: result.decisions / result.seconds,
      cpu: { client: cost(result.cpuSeconds), redis: cost((await cpuSeconds([redis])) - before) },
    };
  } finally {
    await worker.stop();
  }
}

// As many calls as take about as long as ours; a first short run shows how many those are.
async function askRedis(bench: Bench, shape: { requests: number; messages: number }): Promise<number> {
  const common = {
    redisUrl: bench.servers.redisUrl,
    keyPrefix: bench.freshName(),
    connections: IN_FLIGHT,
    pipeline: shape.requests,
    messages: shape.messages,
  };
  const probe = await measureRedis({ ...common, calls: Math.ceil(20_000 / shape.messages) });
  const seconds = bench.options.quick ? QUICK_SECONDS : SECONDS;
  const calls = Math.ceil(probe * seconds);
  return (await measureRedis({ ...common, keyPrefix: bench.freshName(), calls })) * shape.messages;
}
