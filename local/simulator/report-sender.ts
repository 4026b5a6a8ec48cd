// Sends reports to our own inbound server, as a foreign mail server would. A report that cannot be sent is tried
// again a few times and then dropped: nothing here may stop the simulator.

import { createTransport } from 'nodemailer';

import { sleep } from '../../core/base/clock.ts';
import type { Report } from './reports.ts';
import { SIMULATOR_HOST } from './zone.ts';

/** Sends reports in the background. */
export interface ReportSender {
  send(report: Report): void;
  stop(): void;
}

/** Where reports go; asked for every report, so that inbound may start later or move. */
export type InboundAddress = () => { host: string; port: number } | undefined;

const GAPS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]; // inbound is back from a restart well within
const MAX_WAITING = 5_000; // reports, about 3 KB each; more are dropped
const SOCKET_LIMIT_MS = 10_000;

/** Makes the sender. `delayMs` is the time between a message and its report. */
export function createReportSender(
  inbound: InboundAddress,
  options: { delayMs: number; log: (line: string) => void },
): ReportSender {
  const stopping = new AbortController();
  let waiting = 0;

  const deliver = async (report: Report) => {
    for (const gap of [options.delayMs, ...GAPS_MS]) {
      await sleep(gap, stopping.signal);
      if (stopping.signal.aborted) return;
      const failure = await trySend(inbound(), report);
      if (failure === undefined) return;
      options.log(`report to ${report.rcptTo} not taken: ${failure}`);
    }
    options.log(`report to ${report.rcptTo} given up`);
  };

  return {
    send: (report) => {
      if (waiting >= MAX_WAITING) return;
      waiting += 1;
      void deliver(report).finally(() => (waiting -= 1));
    },
    stop: () => stopping.abort(),
  };
}

async function trySend(
  address: { host: string; port: number } | undefined,
  report: Report,
): Promise<string | undefined> {
  if (address === undefined) return 'no inbound server is configured';
  const transport = createTransport({
    ...address,
    name: SIMULATOR_HOST,
    tls: { rejectUnauthorized: false }, // STARTTLS between mail servers is opportunistic (RFC 7435)
    connectionTimeout: SOCKET_LIMIT_MS,
    greetingTimeout: SOCKET_LIMIT_MS,
    socketTimeout: SOCKET_LIMIT_MS,
  });
  try {
    await transport.sendMail({ envelope: { from: report.mailFrom, to: [report.rcptTo] }, raw: report.raw });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    transport.close();
  }
}
