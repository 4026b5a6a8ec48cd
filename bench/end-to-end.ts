// Part "end-to-end": messages accepted over gRPC, rendered, signed and delivered to the sink, with no more than a
// bounded number between acceptance and delivery, so that what is measured is a steady flow.

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import { sleep } from '../core/base/clock.ts';
import type { Figure } from './figure.ts';
import { measureRawLimits } from './raw-limits.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readCpuTimes } from './stack/cpu-time.ts';
import type { Sink } from './stack/sink.ts';
import { diskUsePerMessage, readDiskUse } from './stack/disk-use.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import type { GrpcLoadResult } from './workers/grpc-client.ts';
import type { GrpcLoad } from './workers/grpc-ways.ts';

const SECONDS = 20;
const QUICK_SECONDS = 6;
const RAW_SECONDS = 3;
const WARM_UP_MS = 4_000; // code is compiled, connections have grown to their number
const BACKLOG = 1_500; // inside what one sender keeps in memory (SENDER_MAX_IN_FLIGHT)
const TELL_MS = 20;
const DRAIN_LIMIT_MS = 30_000;
const DELIVERED_PER_SECOND = 1_200;

/** Runs the part. */
export async function measureEndToEnd(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { part: 'end-to-end' });
  try {
    const before = await readCpuTimes(bench, stack);
    const diskBefore = await readDiskUse(stack.db);
    const flow = await runFlow(stack, bench.options.quick ? QUICK_SECONDS : SECONDS);
    const cost = costPerMessage(before, await readCpuTimes(bench, stack), flow.delivered);
    bench.log(
      `delivered: ${Math.round(flow.perSecond)}/s of ${flow.accepted} accepted; CPU ms each: ${cost.text}`,
    );
    const disk = diskUsePerMessage(diskBefore, await readDiskUse(stack.db), flow.delivered);
    const signed = await countSigned(stack);
    // After the flow: rows that it deletes leave room that messages would fill.
    const raw = await measureRawLimits(stack, bench.options.quick ? 1 : RAW_SECONDS);
    const { signatures, rows, smtp } = raw;
    bench.log(
      `raw: ${Math.round(signatures)} signatures/s, ${Math.round(rows)} rows/s, ${Math.round(smtp)} SMTP/s`,
    );
    return [
      {
        id: 'end-to-end.delivered',
        what: 'Accepted, DKIM-signed, delivered',
        detail: `${stack.senders.length} sender, ${flow.accepted} messages, ${flow.connections} connections`,
        value: flow.perSecond,
        unit: '/s',
        target: { atLeast: DELIVERED_PER_SECOND },
        raw: { what: 'RSA-2048 signatures with nothing else running', value: signatures, unit: '/s' },
      },
      {
        id: 'end-to-end.cpu',
        what: 'CPU time of each',
        detail: cost.text,
        value: cost.ms,
        unit: 'ms',
        parts: cost.parts,
      },
      { id: 'end-to-end.wal', what: 'WAL of each', value: disk.wal, unit: 'kB' },
      {
        id: 'end-to-end.disk',
        what: 'Tables and indexes of each, with its events',
        detail: `what it says ${disk.contents.toFixed(2)}, indexes ${disk.indexes.toFixed(2)} kB of it`,
        value: disk.tables,
        unit: 'kB',
        parts: { contents: disk.contents, indexes: disk.indexes },
      },
      { id: 'end-to-end.raw.smtp', what: 'Raw: the sink with a bare SMTP client', value: smtp, unit: '/s' },
      {
        id: 'end-to-end.raw.rows',
        what: 'Raw: messages inserted, 100 to a commit',
        value: rows,
        unit: '/s',
      },
      {
        id: 'end-to-end.missing',
        what: 'Accepted but not delivered, or delivered twice',
        value: Math.abs(flow.accepted - flow.delivered),
        unit: '',
        target: { atMost: 0 },
      },
      {
        id: 'end-to-end.unsigned',
        what: 'Messages of a sample whose DKIM signature does not verify',
        detail: `${signed.sampled} sampled`,
        value: signed.sampled - signed.valid,
        unit: '',
        target: { atMost: 0 },
      },
    ];
  } finally {
    await stack.close();
  }
}

/** What a steady flow came to. */
interface Flow {
  perSecond: number;
  accepted: number;
  delivered: number;
  connections: number;
}

/** Keeps a flow going for some time and counts what the sink acknowledged after the warm-up. */
async function runFlow(stack: Stack, seconds: number): Promise<Flow> {
  const before = await stack.sink.counts();
  const sending = sendSteadily(stack, seconds + WARM_UP_MS / 1000);
  await sleep(WARM_UP_MS);
  const start = { ...(await stack.sink.counts()), at: performance.now() };
  await sleep(seconds * 1000);
  const end = { ...(await stack.sink.counts()), at: performance.now() };
  const accepted = await sending;
  const delivered = await drained(stack.sink, before.messages, accepted);
  const perSecond = (end.messages - start.messages) / ((end.at - start.at) / 1000);
  return { perSecond, accepted, delivered, connections: end.connections - before.connections };
}

/** Streams messages to the senders for some time, no faster than they are delivered. Returns how many were accepted. */
export async function sendSteadily(stack: Stack, seconds: number): Promise<number> {
  const client = startWorker('grpc-client');
  const before = await stack.sink.counts();
  let ended = false;
  try {
    const load: GrpcLoad = {
      addresses: stack.senderAddresses,
      token: stack.internalToken,
      tenants: stack.seed.tenants,
      way: 'stream',
      inFlight: 500,
      seconds,
      backlog: BACKLOG * stack.senders.length,
    };
    const sending = client.ask<GrpcLoadResult>('run', load).finally(() => (ended = true));
    const telling = (async () => {
      while (!ended) {
        await client.ask('delivered', (await stack.sink.counts()).messages - before.messages);
        await sleep(TELL_MS);
      }
    })();
    const { accepted, refused, refusal } = await sending;
    await telling;
    if (refused > 0) throw new Error(`${refused} messages were refused: ${refusal}`);
    return accepted;
  } finally {
    await client.stop();
  }
}

/** Waits until so many more are delivered, or the limit is over. Returns how many were. */
export async function drained(sink: Sink, before: number, accepted: number): Promise<number> {
  const limit = performance.now() + DRAIN_LIMIT_MS;
  for (;;) {
    const delivered = (await sink.counts()).messages - before;
    if (delivered >= accepted || performance.now() > limit) {
      await sleep(500); // one that is delivered twice should have the time to show
      return (await sink.counts()).messages - before;
    }
    await sleep(50);
  }
}

async function countSigned(stack: Stack): Promise<{ sampled: number; valid: number }> {
  const { record } = stack.seed.dkim;
  const resolver = () => Promise.resolve([[record]]);
  const ours = (await stack.sink.samples()).filter((raw) => raw.includes('.bench.test'));
  const checks = await Promise.all(ours.map((raw) => dkimVerify(Buffer.from(raw, 'latin1'), { resolver })));
  const valid = checks.filter(({ results }) => results.some((one) => one.status.result === 'pass')).length;
  return { sampled: ours.length, valid };
}
