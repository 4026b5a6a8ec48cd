// The mailbox simulator: a mail server, a DNS server and an HTTP interface that stand for the rest of the world.

import { startDnsServer } from './dns-server.ts';
import { startHttpServer } from './http-server.ts';
import { MessageStore } from './message-store.ts';
import { createReportSender, type InboundAddress } from './report-sender.ts';
import { makeArf, makeDsn } from './reports.ts';
import { startSmtpServer } from './smtp-server.ts';
import { Zone } from './zone.ts';

/** How to start; ports default to free ones. */
export interface SimulatorOptions {
  smtpPort?: number;
  dnsPort?: number;
  httpPort?: number;
  /** Where DSNs and complaints are sent to. Without it none are. */
  inbound?: { host: string; port: number } | InboundAddress;
  /** Key and certificate (PEM) for STARTTLS. */
  tls?: { key: string; cert: string };
  /** Keeps the DNS records that were added. */
  zoneFile?: string;
  /** How long `slow@` takes; tests are less patient. */
  slowMs?: number;
  /** Time between a message and the report about it. */
  reportDelayMs?: number;
  log?: (line: string) => void;
}

/** A running simulator. */
export interface Simulator {
  smtpPort: number;
  dnsPort: number;
  httpPort: number;
  stop(): Promise<void>;
}

const SLOW_MS = 30_000; // contract, section 4
const REPORT_DELAY_MS = 250; // real reports take seconds to days; never faster than the answer to DATA travels

/** Starts all three servers on 127.0.0.1. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const store = new MessageStore();
  const zone = new Zone(options.zoneFile);
  const { inbound } = options;
  const reports = createReportSender(typeof inbound === 'function' ? inbound : () => inbound, {
    delayMs: options.reportDelayMs ?? REPORT_DELAY_MS,
    log: options.log ?? (() => {}),
  });
  const smtp = await startSmtpServer(
    {
      store,
      slowMs: options.slowMs ?? SLOW_MS,
      report: (kind, message) => {
        const report = kind === 'dsn' ? makeDsn(message) : makeArf(message);
        if (report) reports.send(report);
      },
      ...(options.tls && { tls: options.tls }),
    },
    options.smtpPort ?? 0,
  );
  const dns = await startDnsServer(zone, options.dnsPort ?? 0);
  const http = await startHttpServer(store, zone, options.httpPort ?? 0);
  let stopped: Promise<unknown> | undefined;
  return {
    smtpPort: smtp.port,
    dnsPort: dns.port,
    httpPort: http.port,
    stop: async () => {
      reports.stop();
      stopped ??= Promise.all([smtp.stop(), dns.stop(), http.stop()]);
      await stopped;
    },
  };
}
