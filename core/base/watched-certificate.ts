// A certificate in files, read again when they change: whoever renews it (cert-manager, certbot) replaces the files, and nothing
// has to be restarted. Looked at by content and not by events, because Kubernetes replaces a folder by a symbolic link.

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

import type { Logger } from './log.ts';
import { startLoop } from './loop.ts';

/** PEM: the chain, its key, and the authority that peers are checked by, if there is one. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
  ca: Buffer | null;
}

/** Where they lie. */
export interface CertificateFiles {
  cert: string;
  key: string;
  ca?: string | undefined;
}

/** A certificate that may change. */
export interface WatchedCertificate {
  /** The newest that is whole. */
  current(): Certificate;
  /** Called with each newer one, for connections that are made from then on. */
  onChange(use: (certificate: Certificate) => void): void;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 10_000; // Kubernetes itself needs up to a minute to bring a changed secret into a pod

/**
 * Looks at the files every ten seconds, beginning with what was read before, or with what is there now: then it throws when
 * that cannot be used. Later a key that does not fit its certificate, as between the writing of two files, changes nothing:
 * it is an error in the log, once.
 */
export function watchCertificate(
  files: CertificateFiles,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  before?: Certificate,
): WatchedCertificate {
  const listeners: ((certificate: Certificate) => void)[] = [];
  let current = before ?? readCertificate(files);
  let problem = '';
  const loop = startLoop({
    what: 'looking for a new certificate',
    log,
    firstInMs: before === undefined ? LOOK_EVERY_MS : 0,
    async step() {
      try {
        const found = readCertificate(files);
        problem = '';
        if (isSame(found, current)) return LOOK_EVERY_MS;
        current = found;
        for (const use of listeners) use(found);
        log.info({ file: files.cert }, 'a new certificate is in use');
      } catch (error) {
        if (problem !== String(error))
          log.error({ err: error, ...files }, 'the certificate cannot be used; the one before stays');
        problem = String(error);
      }
      return LOOK_EVERY_MS;
    },
  });
  return { current: () => current, onChange: (use) => void listeners.push(use), stop: () => loop.stop() };
}

/** Reads them once. Throws unless the key is that of the certificate. */
export function readCertificate(files: CertificateFiles): Certificate {
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
  const ca = files.ca === undefined ? null : readFileSync(files.ca);
  createSecureContext({ cert, key, ...(ca && { ca }) });
  return { cert, key, ca };
}

function isSame(one: Certificate, other: Certificate): boolean {
  const bytes = ({ cert, key, ca }: Certificate) => Buffer.concat([cert, key, ca ?? Buffer.alloc(0)]);
  return bytes(one).equals(bytes(other));
}
