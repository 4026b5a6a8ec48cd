// Counts how TLS went with the servers of each recipient's domain, for the reports of RFC 8460: a session once per domain
// that it carried mail to. Counts are in memory and added to the database once a minute; those of domains that want no
// reports are dropped then. A process that is killed loses the last minute: docs/crashes.md.

import { utcDay } from '../../core/base/clock.ts';
import { createLookupCache } from '../../core/base/lookup-cache.ts';
import type { Logger } from '../../core/base/log.ts';
import { startLoop } from '../../core/base/loop.ts';
import type { Dns } from '../../core/clients/dns.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { allowsHost, type StsPolicy } from '../../core/transport/mta-sts.ts';
import type { FindPolicy } from '../../core/transport/policies.ts';
import { readReportTargets, type TlsFailure, type TlsSessions } from '../../core/transport/tls-report.ts';
import type { Sent } from '../smtp/send-envelope.ts';

/** The counts of one process. */
export interface SessionCounts {
  /** Notes how an attempt at a mail host of the domain went, when it says something about TLS. */
  note(domain: string, sent: Sent): void;
  /** Adds what is counted to the database. */
  stop(): Promise<void>;
}

/** What counting needs. */
export interface SessionCountsDeps {
  findPolicy: FindPolicy;
  dns: Pick<Dns, 'txt'>;
  databaseNow: () => Date;
  add: (sessions: TlsSessions[]) => Promise<void>;
  log: Logger;
  /** Factor on the pauses; 1 but in tests. */
  scale: number;
}

const FLUSH_MS = 60_000;
const WANTS_MS = 3_600_000; // RFC 8460 says nothing; a domain that begins to want reports gets those of the next hours
const MAX_COUNTS = 20_000; // about 10 MB; what is new beyond it is not counted until the next minute
const MAX_DOMAINS = 20_000;

/** Starts counting. */
export function startSessionCounts(deps: SessionCountsDeps): SessionCounts {
  let counts = new Map<string, TlsSessions>();
  const wanted = createLookupCache<boolean>({ maxAgeMs: WANTS_MS * deps.scale, maxEntries: MAX_DOMAINS });
  const wants = (domain: string) =>
    wanted(domain, async () => {
      const answer = await deps.dns.txt(`_smtp._tls.${domain}`);
      return answer.kind === 'found' && readReportTargets(answer.records).length > 0;
    });
  const count = (session: TlsSessions) => {
    const { sessions: _, ...of } = session;
    const key = JSON.stringify(of);
    const known = counts.get(key);
    if (known) known.sessions += 1;
    else if (counts.size < MAX_COUNTS) counts.set(key, session);
  };
  const flush = async () => {
    const taken = [...counts.values()];
    counts = new Map();
    const reported: TlsSessions[] = [];
    for (const session of taken) if (await wants(session.domain)) reported.push(session);
    if (reported.length === 0) return;
    await deps.add(reported).catch((error: unknown) => {
      for (const session of reported)
        if (counts.size < MAX_COUNTS) counts.set(`again ${counts.size}`, session);
      throw error;
    });
  };
  const pauseMs = FLUSH_MS * deps.scale;
  const loop = startLoop({
    what: 'counting TLS sessions',
    log: deps.log,
    firstInMs: pauseMs,
    isExpected: isDatabaseAway,
    step: () => flush().then(() => pauseMs),
  });
  return {
    note: (name, sent) => {
      const domain = name.toLowerCase();
      if (!saysSomething(sent) || sent.reported?.has(domain)) return;
      sent.reported?.add(domain);
      const day = utcDay(deps.databaseNow());
      void deps.findPolicy(domain).then(
        (policy) => count({ ...judge(domain, sent, policy), day, sessions: 1 }),
        () => {}, // the database is away: the attempt itself is what matters
      );
    },
    stop: async () => {
      await loop.stop();
      await flush().catch((error: unknown) => deps.log.warn({ err: error }, 'TLS sessions were not counted'));
    },
  };
}

function saysSomething({ reported, policy }: Sent): boolean {
  return reported !== null || policy !== null;
}

type Judged = Omit<TlsSessions, 'day' | 'sessions'>;

/** What one session says under the policy of its domain, which is looked at whether or not it was enforced. */
function judge(domain: string, sent: Sent, sts: StsPolicy | null): Judged {
  const type = sent.policy === 'dane' ? 'tlsa' : sts === null ? 'no-policy-found' : 'sts';
  const common = {
    domain,
    policyType: type,
    policy: type === 'sts' && sts ? linesOf(sts) : [],
    mxPatterns: type === 'sts' && sts ? sts.mx : [],
  } as const;
  const result = resultOf(sent, type === 'sts' ? sts : null);
  if (result === null) return { ...common, result: '', mx: '', ip: '', ourIp: '', reason: '' };
  const { tls, mx } = sent;
  const reason = tls?.problem ?? '';
  return { ...common, result, mx: mx ?? '', ip: tls?.address ?? '', ourIp: tls?.ourAddress ?? '', reason };
}

function resultOf({ transaction, tls, mx }: Sent, sts: StsPolicy | null): TlsFailure | null {
  const failed = transaction.kind === 'failed' && transaction.policy !== null ? transaction : null;
  if (failed && tls === null) {
    if (failed.command !== null) return 'starttls-not-supported';
    return failed.policy === 'dane' ? 'dnssec-invalid' : 'validation-failure';
  }
  if (failed?.policy === 'dane') return RESULTS[tls?.problem ?? ''] ?? 'validation-failure';
  if (tls === null) return 'starttls-not-supported';
  if (sts === null) return null;
  if (!allowsHost(sts, mx ?? '')) return 'validation-failure';
  return tls.problem === null ? null : (RESULTS[tls.problem] ?? 'certificate-not-trusted');
}

// Codes of Node and OpenSSL → section 4.3.2.
const RESULTS: Readonly<Record<string, TlsFailure>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-host-mismatch',
  CERT_HAS_EXPIRED: 'certificate-expired',
};

function linesOf({ mode, mx, maxAgeSeconds }: StsPolicy): string[] {
  return ['version: STSv1', `mode: ${mode}`, ...mx.map((one) => `mx: ${one}`), `max_age: ${maxAgeSeconds}`];
}
