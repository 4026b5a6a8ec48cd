// The mail sink of the stack, a child process (bench/workers/mail-sink.ts): SMTP for all recipients, and the DNS that
// leads to it.

import { startWorker } from '../worker.ts';
import type { SinkCounts, SinkPorts } from '../workers/mail-sink.ts';

/** The running sink. */
export interface Sink extends SinkPorts {
  pid: number;
  /** While true, connections get no greeting: senders wait, and nothing is delivered. */
  hold(on: boolean): Promise<void>;
  counts(): Promise<SinkCounts>;
  /** The first messages that came, as they were on the wire. */
  samples(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts it on free ports. */
export async function startSink(): Promise<Sink> {
  const worker = startWorker('mail-sink');
  const ports = await worker.ask<SinkPorts>('start');
  return {
    ...ports,
    pid: worker.pid,
    hold: (on) => worker.ask('hold', on),
    counts: () => worker.ask<SinkCounts>('counts'),
    samples: () => worker.ask<string[]>('samples'),
    stop: () => worker.stop(),
  };
}
