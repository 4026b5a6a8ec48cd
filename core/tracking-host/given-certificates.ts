// Certificates that whoever runs this service puts into a folder: `<any name>.crt` (chain) beside `<any name>.key`. A changed
// folder is read again; a pair that is no use is logged and left out.

import type { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from '../base/log.ts';
import { readPair } from './certificate.ts';

/** A pair of the folder. */
interface GivenCertificate {
  certificate: X509Certificate;
  /** PEM. */
  chain: string;
  key: string;
}

/** The pairs of a folder. */
export interface GivenCertificates {
  /** Reads what changed since the last time. */
  refresh(): Promise<void>;
  /** The pair for a name that is valid longest, or null. */
  find(name: string): GivenCertificate | null;
}

const MAX_PAIRS = 1_000; // each is compared with every host of a round

/** Makes the reader. Nothing is read before the first `refresh`. */
export function createGivenCertificates(folder: string, log: Logger): GivenCertificates {
  let pairs = new Map<string, { version: string; given: GivenCertificate | null }>();
  let problem: string | null = null;
  // A folder that cannot be read is said once, and changes nothing: records must be looked up all the same.
  const listed = async (): Promise<string[] | null> => {
    try {
      const names = (await readdir(folder)).filter((file) => file.endsWith('.crt')).sort();
      if (names.length > MAX_PAIRS) throw new Error(`more than ${MAX_PAIRS} certificates`);
      problem = null;
      return names;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log.error({ err: error, folder }, 'TRACKING_CERT_FOLDER cannot be read');
      problem = message;
      return null;
    }
  };
  return {
    async refresh() {
      const names = await listed();
      if (names === null) return;
      const next: typeof pairs = new Map();
      for (const file of names) {
        const base = join(folder, file.slice(0, -'.crt'.length));
        const version = await versionOf(base);
        const known = pairs.get(base);
        const isSame = known?.version === version;
        next.set(base, isSame ? known : { version, given: await readGiven(base, log) });
      }
      pairs = next;
    },
    find(name) {
      let best: GivenCertificate | null = null;
      for (const { given } of pairs.values()) {
        if (given?.certificate.checkHost(name) === undefined) continue;
        if (best === null || given.certificate.validToDate > best.certificate.validToDate) best = given;
      }
      return best;
    },
  };
}

async function versionOf(base: string): Promise<string> {
  const both = await Promise.all(
    ['.crt', '.key'].map((end) =>
      stat(base + end).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => 'none',
      ),
    ),
  );
  return both.join(' ');
}

async function readGiven(base: string, log: Logger): Promise<GivenCertificate | null> {
  try {
    const [chain, key] = await Promise.all([
      readFile(`${base}.crt`, 'utf8'),
      readFile(`${base}.key`, 'utf8'),
    ]);
    return { certificate: readPair(chain, key), chain, key };
  } catch (error) {
    log.warn({ err: error, file: `${base}.crt` }, 'a given certificate cannot be used');
    return null;
  }
}
