// TLS and the internal token of gRPC, for both sides. Without GRPC_* files the connection is plain (one machine);
// with a CA both sides must show a certificate (mTLS), and the files are read again when they change.

import { readFileSync } from 'node:fs';
import {
  credentials,
  experimental,
  Metadata,
  ServerCredentials,
  type ChannelCredentials,
} from '@grpc/grpc-js';

import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import {
  readCertificate,
  watchCertificate,
  type Certificate,
  type WatchedCertificate,
} from '../base/watched-certificate.ts';

/** The settings that this reads. */
export type GrpcSettings = Pick<
  Config,
  'GRPC_CERT_FILE' | 'GRPC_KEY_FILE' | 'GRPC_CA_FILE' | 'INTERNAL_TOKEN'
>;

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;
const QUIET: Log = { info() {}, warn() {}, error() {} };

/** How a server proves itself and what it asks of clients. */
export function serverCredentials(config: GrpcSettings, log: Log = QUIET): ServerCredentials {
  const watched = watchFiles(config, log);
  if (watched) return experimental.createCertificateProviderServerCredentials(watched, watched, true);
  const { cert, key } = readFiles(config);
  if (!cert || !key) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ cert_chain: cert, private_key: key }]);
}

/** How a client proves itself and whom it trusts. */
export function channelCredentials(config: GrpcSettings, log: Log = QUIET): ChannelCredentials {
  const watched = watchFiles(config, log);
  if (watched) return experimental.createCertificateProviderChannelCredentials(watched, watched);
  const { cert, key } = readFiles(config);
  if (!cert || !key) return credentials.createInsecure();
  return credentials.createSsl(null, key, cert);
}

/** The metadata of every call. */
export function tokenMetadata(config: GrpcSettings): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${config.INTERNAL_TOKEN}`);
  return metadata;
}

function readFiles(config: GrpcSettings) {
  const read = (file: string | undefined) => (file === undefined ? null : readFileSync(file));
  return {
    cert: read(config.GRPC_CERT_FILE),
    key: read(config.GRPC_KEY_FILE),
  };
}

type Provider = Parameters<typeof experimental.createCertificateProviderServerCredentials>[0];

// What grpc-js asks for certificates, while it has a connection or a listener that needs them. Its own FileWatcher would
// take a key that does not fit yet. Null without a CA.
function watchFiles(config: GrpcSettings, log: Log): Provider | null {
  const { GRPC_CERT_FILE: cert, GRPC_KEY_FILE: key, GRPC_CA_FILE: ca } = config;
  if (cert === undefined || key === undefined || ca === undefined) return null;
  const told = new Map<unknown, (certificate: Certificate) => void>();
  let last = readCertificate({ cert, key, ca });
  let watched: WatchedCertificate | null = null;
  const add = (listener: unknown, tell: (certificate: Certificate) => void) => {
    told.set(listener, tell);
    if (watched === null) {
      watched = watchCertificate({ cert, key, ca }, log, last);
      watched.onChange((certificate) => {
        last = certificate;
        told.forEach((one) => one(certificate));
      });
    }
    process.nextTick(() => told.get(listener)?.(last)); // grpc-js listens only once this has returned
  };
  const remove = (listener: unknown) => {
    told.delete(listener);
    if (told.size > 0) return;
    void watched?.stop();
    watched = null;
  };
  return {
    addCaCertificateListener: (listener) => add(listener, (one) => listener({ caCertificate: one.ca! })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) =>
      add(listener, (one) => listener({ certificate: one.cert, privateKey: one.key })),
    removeIdentityCertificateListener: remove,
  };
}
