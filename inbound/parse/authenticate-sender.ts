// SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617) of a message, by mailauth. What they say is recorded, never
// enforced: content from the internet is untrusted whatever they say.

import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';

import { monotonicMs } from '../../core/base/clock.ts';
import { resumeJob } from '../../core/base/serve-jobs.ts';
import type { AuthResults } from '../../core/inbound/work-store.ts';
import { isReadableTxt } from '../../core/mail/txt-limit.ts';
import type { ParseJob } from './parse-job.ts';

const LIMIT_MS = 8_000;
const QUERY_TIMEOUT_MS = 1_500;
const TRIES = 2;
const FOUND_MS = 60_000;
const ABSENT_MS = 20_000; // absent or not answered
const MAX_ENTRIES = 5_000;
// Patterns of mailauth take quadratic time: 128 kB of blanks in a header took 17 s. One domain must not delay the mail of
// others.
const MAX_BLANKS = 998; // in one run; a line has no more octets (RFC 5322 section 2.1.1)
const MAX_HEADER_OCTETS = 256 * 1024;
const MAX_HEADER_LINES = 5_000;
const LONG_RUN = new RegExp(`[ \\t\\r\\n]{${MAX_BLANKS + 1}}`);
const UNREADABLE: AuthResults = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror' };
const UNKNOWN: AuthResults = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' };

/** Looks up a DNS record as mailauth asks for it. */
type Look = (name: string, type: string) => Promise<string[]>;

/** Makes the check; `dnsServers` is DNS_SERVERS. */
export function createAuthenticate(
  dnsServers: string[],
  hostname: string,
): (job: ParseJob) => Promise<AuthResults> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const look = createCache(async (name, type) => {
    if (type !== 'TXT') return (await resolver.resolve(name, type)) as unknown as string[];
    return usableTexts(await resolver.resolveTxt(name));
  });
  return async (job) => {
    if (isCostly(job.raw)) return UNREADABLE;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<AuthResults>((resolve) => {
      timer = setTimeout(() => resolve(UNKNOWN), LIMIT_MS);
    });
    try {
      return await Promise.race([check(job, look, hostname), late]);
    } catch {
      return UNKNOWN;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The TXT records that are read, each as one text: not those beyond the limit. */
export function usableTexts(records: readonly string[][]): string[] {
  return records.map((texts) => texts.join('')).filter(isReadableTxt);
}

// Whether mailauth could take seconds to read the header.
function isCostly(raw: Uint8Array): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, MAX_HEADER_OCTETS + 1));
  const ends = ['\r\n\r\n', '\n\n'].map((end) => start.indexOf(end)).filter((at) => at >= 0);
  const header = start.toString('latin1', 0, Math.min(start.length, ...ends));
  return (
    header.length > MAX_HEADER_OCTETS || LONG_RUN.test(header) || header.split('\n').length > MAX_HEADER_LINES
  );
}

// The same few domains send most of the mail, and a domain whose DNS is dead must not hold up the mail behind it.
function createCache(look: Look): Look {
  const entries = new Map<string, { found: Promise<string[]>; until: number }>();
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const known = entries.get(key);
    if (known && known.until > monotonicMs()) return known.found;
    const entry = { found: look(name, type), until: monotonicMs() + FOUND_MS };
    entry.found.catch(() => {
      entry.until = monotonicMs() + ABSENT_MS;
    });
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value ?? key);
    return entry.found;
  };
}

async function check(job: ParseJob, look: Look, hostname: string): Promise<AuthResults> {
  const { spf, dkim, dmarc, arc } = await authenticate(Buffer.from(job.raw), {
    ip: job.peer,
    helo: job.helo,
    sender: job.mailFrom,
    mta: hostname,
    resolver: (name: string, type: string) => look(name, type).finally(resumeJob), // several may wait for one look-up
    strict: true, // each verdict by its RFC: RFC 6376 section 3.6.1 (t=s), RFC 8301 (SHA-1)
    disableBimi: true,
  });
  const sealed = word(arc === false ? undefined : arc?.status.result);
  const signatures = (dkim?.results ?? []).map(({ status }) => status.result);
  return {
    spf: word(spf === false ? undefined : spf?.status.result),
    dkim: word(signatures.includes('pass') ? 'pass' : signatures[0]),
    // Not none: whoever writes a second From, or none, would be rid of the check (RFC 9989 section 5.3.1).
    dmarc: dkim?.fromFields !== 1 ? 'permerror' : word(dmarc === false ? undefined : dmarc?.status.result),
    ...(sealed !== 'none' && { arc: sealed }),
  };
}

function word(result: string | undefined): string {
  if (result === undefined || result === 'skipped') return 'none';
  return result === 'temperr' ? 'temperror' : result;
}
