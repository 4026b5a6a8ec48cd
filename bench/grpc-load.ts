// Part "grpc": the sender by each of its ways in, beside an echo stream of the same payload.

import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import type { GrpcLoadResult } from './workers/grpc-client.ts';
import type { GrpcLoad } from './workers/grpc-ways.ts';

type Way = Pick<GrpcLoad, 'way' | 'batch' | 'inFlight'>;

const SECONDS = 6;
const QUICK_SECONDS = 3;
const WARM_UP_SECONDS = 2;
const STREAM: Way = { way: 'stream', inFlight: 1_000 };
const OTHERS: { id: string; what: string; way: Way }[] = [
  { id: 'unary', what: 'Send (unary)', way: { way: 'unary', inFlight: 64 } },
  { id: 'batch100', what: 'SendBatch of 100', way: { way: 'batch', batch: 100, inFlight: 4 } },
  { id: 'batch1000', what: 'SendBatch of 1000', way: { way: 'batch', batch: 1000, inFlight: 2 } },
];
const STREAMED_PER_SECOND = 5_000;
const SHARE_OF_ECHO = 50;

/** Runs the part. */
export async function measureGrpc(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const holdMail of [true, false]) {
    const stack = await startStack(bench, { holdMail, part: 'grpc' });
    try {
      const echo = await measureEcho(bench, stack);
      figures.push(...(await measureStream(bench, stack, holdMail, echo)));
      if (!holdMail) continue;
      for (const { id, what, way } of OTHERS) {
        const result = await send(bench, stack, stack.senderAddresses, way);
        const figure: Figure = {
          id: `grpc.${id}`,
          what: `${what}, messages accepted, delivery held back`,
          detail: `${way.inFlight} calls in flight, p99 ${result.p99.toFixed(0)} ms`,
          value: result.accepted / result.seconds,
          unit: '/s',
        };
        bench.log(`gRPC ${what}: ${Math.round(figure.value)}/s`);
        figures.push(figure);
      }
    } finally {
      await stack.close();
    }
  }
  return figures;
}

async function measureEcho(bench: Bench, stack: Stack): Promise<number> {
  const echo = startWorker('echo-server');
  try {
    const address = await echo.ask<string>('start');
    const result = await send(bench, stack, [address], STREAM);
    bench.log(`gRPC echo stream: ${Math.round(result.accepted / result.seconds)}/s`);
    return result.accepted / result.seconds;
  } finally {
    await echo.stop();
  }
}

async function measureStream(bench: Bench, stack: Stack, holdMail: boolean, echo: number): Promise<Figure[]> {
  const before = await readCpuTimes(bench, stack);
  const result = await send(bench, stack, stack.senderAddresses, STREAM);
  const cost = costPerMessage(before, await readCpuTimes(bench, stack), result.accepted + result.warmUp);
  const perSecond = result.accepted / result.seconds;
  const how = holdMail ? 'delivery held back' : 'delivery running';
  const id = holdMail ? 'grpc.stream.accepting' : 'grpc.stream.delivering';
  bench.log(`gRPC stream, ${how}: ${Math.round(perSecond)}/s; CPU ms each: ${cost.text}`);
  return [
    {
      id,
      what: `SendStream, messages accepted, ${how}`,
      detail: `${STREAM.inFlight} in flight, p50 ${result.p50.toFixed(0)} ms, p99 ${result.p99.toFixed(0)} ms`,
      value: perSecond,
      unit: '/s',
      target: { atLeast: STREAMED_PER_SECOND },
      raw: { what: 'echo stream of the same payload', value: echo, unit: '/s' },
    },
    {
      id: `${id}.cpu`,
      what: 'CPU time of each',
      detail: cost.text,
      value: cost.ms,
      unit: 'ms',
      parts: cost.parts,
    },
    {
      id: `${id}.share`,
      what: `Share of the echo stream, ${how}`,
      value: (perSecond / echo) * 100,
      unit: '%',
      target: { atLeast: SHARE_OF_ECHO },
    },
  ];
}

// A fresh client process for each way; a short run first lets both sides compile what they run.
async function send(
  bench: Bench,
  stack: Stack,
  addresses: string[],
  way: Way,
): Promise<GrpcLoadResult & { warmUp: number }> {
  const client = startWorker('grpc-client');
  try {
    const load = {
      ...way,
      addresses,
      token: stack.internalToken,
      tenants: stack.seed.tenants,
      seconds: WARM_UP_SECONDS,
    } satisfies GrpcLoad;
    const warmUp = await client.ask<GrpcLoadResult>('run', load);
    const seconds = bench.options.quick ? QUICK_SECONDS : SECONDS;
    const result = await client.ask<GrpcLoadResult>('run', { ...load, seconds });
    if (result.refused > 0) bench.log(`note: ${result.refused} were refused: ${result.refusal}`);
    return { ...result, warmUp: warmUp.accepted };
  } finally {
    await client.stop();
  }
}
