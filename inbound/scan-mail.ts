// Asks the scanner about mail that came in, before it is stored (docs/inbound.md says why then).
//
// Guarantee: a scan never throws and never takes longer than SCAN_LIMIT_MS. A scanner that is away is not asked for a while: mail
// is accepted without a verdict, and at once.

import { Counter, Histogram } from 'prom-client';

import { monotonicMs } from '../core/base/clock.ts';
import type { Config } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import type { Registry } from '../core/base/metrics.ts';
import type { Body } from '../core/clients/guarded-http.ts';
import { createRspamd, SCAN_LIMIT_MS, type ScanEnvelope } from '../core/clients/rspamd.ts';
import type { ScanResult } from '../core/db/schema/inbound.ts';
import { judgeAnswer, notScanned } from '../core/inbound/scan.ts';
import { createClientName } from './client-name.ts';

/** What is asked about; `hostname` is found out here. */
type MailToScan = Omit<ScanEnvelope, 'hostname'>;

/** The scanner of one process. */
export interface Scanner {
  scan(mail: MailToScan, body: Body): Promise<ScanResult>;
  close(): Promise<void>;
}

const FAILURES = 3; // in a row: one message that rspamd cannot digest does not switch it off for all others
const PAUSE_MS = 10_000; // then one message asks whether it is back

/** Makes the scanner; null when none is set up. */
export function createScanner(
  config: Pick<Config, 'RSPAMD_URL' | 'RSPAMD_PASSWORD' | 'DNS_SERVERS'>,
  log: Logger,
  metrics: Registry,
): Scanner | null {
  const rspamd = createRspamd(config);
  if (!rspamd) return null;
  const counts = countScans(metrics);
  const nameOf = createClientName(config);
  let failures = 0;
  let pausedUntil = 0;
  let trying = false; // after a pause, one message at a time

  const ask = async (mail: MailToScan, body: Body): Promise<ScanResult> => {
    const startedAt = monotonicMs();
    const hostname = await nameOf(mail.peer);
    const limitMs = SCAN_LIMIT_MS - (monotonicMs() - startedAt);
    const checked = await rspamd.check({ ...mail, hostname }, body, limitMs);
    counts.seconds.observe((monotonicMs() - startedAt) / 1000);
    if (checked.kind === 'answered') {
      if (failures >= FAILURES) log.info('rspamd answers again');
      failures = 0;
      return judgeAnswer(checked.answer);
    }
    const { reason } = checked;
    failures++;
    pausedUntil = monotonicMs() + PAUSE_MS;
    if (failures === FAILURES)
      log.warn({ reason }, 'rspamd does not answer as it should; mail is accepted without it until it does');
    return notScanned(reason);
  };
  const askOrPause = async (mail: MailToScan, body: Body): Promise<ScanResult> => {
    if (failures < FAILURES) return ask(mail, body);
    if (trying || monotonicMs() < pausedUntil) return notScanned('paused');
    trying = true;
    try {
      return await ask(mail, body);
    } finally {
      trying = false;
    }
  };
  return {
    async scan(mail, body) {
      const result = await askOrPause(mail, body);
      counts.scans.inc({ verdict: result.verdict, reason: result.reason ?? '' });
      return result;
    },
    close: () => rspamd.close(),
  };
}

function countScans(registry: Registry) {
  const registers = [registry];
  return {
    scans: new Counter({
      name: 'postrider_inbound_scans_total',
      help: 'Inbound messages by the verdict of the scanner, and why they were not scanned',
      labelNames: ['verdict', 'reason'],
      registers,
    }),
    seconds: new Histogram({
      name: 'postrider_inbound_scan_seconds',
      help: 'Time that a scan takes, failed ones too; while the scanner is not asked there is none',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, SCAN_LIMIT_MS / 1000],
      registers,
    }),
  };
}
