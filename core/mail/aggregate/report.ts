// What an aggregate report says: DMARC (RFC 7489 appendix C, RFC 9990) or TLS (RFC 8460), in one shape. Whoever sends one
// may write anything into it, so every text is short and printable and every number has a limit.

/** Kinds of aggregate reports: who sends as a domain (DMARC), and how TLS with its mail servers went (TLS-RPT). */
export const REPORT_TYPES = ['dmarc', 'tls'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** Mail or sessions of one source with one result; also stored and shown under these names. */
export interface ReportSource {
  /** IP address of the server that sent; null when the report does not say, or for all sources beyond the largest. */
  source: string | null;
  /** Messages (DMARC) or failed TLS sessions. */
  count: number;
  /** DMARC: `pass` or `fail`; TLS: the result type (RFC 8460 section 4.3). Null for all sources beyond the largest. */
  result: string | null;
  /** DMARC: whether DKIM, or SPF, passed for a domain that is aligned with From. */
  dkim: 'pass' | 'fail' | null;
  spf: 'pass' | 'fail' | null;
  /** DMARC: what the receiver did: `none`, `quarantine`, `reject`. */
  disposition: string | null;
  /** DMARC: domain in From. */
  header_from: string | null;
  /** DMARC: what passed or failed, and for which domains: `dkim=pass (example.com) spf=fail (example.net)`. */
  auth: string | null;
  /** Why the receiver did something else than the policy says; TLS: reason code of the failure. */
  reason: string | null;
  /** TLS: mail server that was connected to. */
  receiving_mx: string | null;
}

/** What one report says about one domain. */
export interface AggregateReport {
  type: ReportType;
  /** Name that the reporter gives itself. */
  reporter: string;
  /** Id that the reporter gave the report. */
  reportId: string;
  /** Domain whose policy it is about, in lower case. */
  domain: string;
  from: Date;
  to: Date;
  /** Messages (DMARC) or TLS sessions. */
  total: number;
  passed: number;
  failed: number;
  /** At most MAX_SOURCES, the largest first; the last may stand for all the others (`source` and `result` are null). */
  sources: ReportSource[];
}

/** Why bytes are not a report: said of the mail that brought them. */
export class NotAReport extends Error {}

/** Most messages or sessions of one report: more than anybody sends in a day, and sums over years stay exact numbers. */
export const MAX_COUNT = 1e12;

/** Sources that are kept of one report; what is beyond the largest is summed. */
export const MAX_SOURCES = 100;

const MAX_DISTINCT = 10_000; // sources that are told apart while a report is read: 30 MiB at worst
const MAX_CHARS = 250; // of one text: three of them are 2,250 octets at most, and an index of PostgreSQL takes 2,700
const AHEAD_MS = 2 * 86_400_000; // a period may end this much after now: clocks and time zones

/** A text of a report: one line, short, storable. */
export function shortText(text: string): string {
  const plain = text.slice(0, MAX_CHARS * 4).replace(/[\p{C}\p{Z}]+/gu, ' ');
  return plain.trim().slice(0, MAX_CHARS).toWellFormed();
}

/** A domain name as reports are compared by it. */
export function plainDomain(text: string): string {
  return shortText(text).toLowerCase().replace(/\.$/, '');
}

/** The period of a report. Refuses one that ends before it begins or that has not come yet. */
export function periodOf(from: number, to: number, now: number): { from: Date; to: Date } {
  if (!(from >= 0 && from <= to)) throw new NotAReport('its period is no period');
  if (to > now + AHEAD_MS) throw new NotAReport('its period has not come yet');
  return { from: new Date(from), to: new Date(to) };
}

/** Adds a count to a sum. Refuses counts that are none, or too large. */
export function addCount(sum: number, count: number): number {
  if (!Number.isSafeInteger(count) || count < 0) throw new NotAReport('a count is not a whole number');
  if (sum + count > MAX_COUNT) throw new NotAReport('it counts more than anybody sends');
  return sum + count;
}

/** Sums counts by source, in bounded memory however many there are. */
export function createSources(): {
  add(source: ReportSource): void;
  list(): ReportSource[];
} {
  const known = new Map<string, ReportSource>();
  let rest = 0;
  return {
    add(source) {
      const { count, ...key } = source;
      const name = JSON.stringify(key);
      const same = known.get(name);
      if (same) same.count += count;
      else if (known.size < MAX_DISTINCT) known.set(name, { ...source });
      else rest += count;
    },
    list() {
      const sorted = [...known.values()].sort((a, b) => b.count - a.count);
      const kept = sorted.slice(0, sorted.length > MAX_SOURCES || rest > 0 ? MAX_SOURCES - 1 : MAX_SOURCES);
      const others = sorted.slice(kept.length).reduce((sum, { count }) => sum + count, rest);
      return others === 0 ? kept : [...kept, { ...NO_SOURCE, count: others }];
    },
  };
}

/** A source of which nothing is known. */
export const NO_SOURCE: Omit<ReportSource, 'count'> = {
  source: null,
  result: null,
  dkim: null,
  spf: null,
  disposition: null,
  header_from: null,
  auth: null,
  reason: null,
  receiving_mx: null,
};
