// TLS and the internal token of gRPC, for both sides. Without GRPC_* files the connection is plain (one machine);
// with a CA both sides must show a certificate (mTLS).

import { readFileSync } from 'node:fs';
import { credentials, Metadata, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';

import type { Config } from '../base/config.ts';

/** The settings that this reads. */
export type GrpcSettings = Pick<
  Config,
  'GRPC_CERT_FILE' | 'GRPC_KEY_FILE' | 'GRPC_CA_FILE' | 'INTERNAL_TOKEN'
>;

/** How a server proves itself and what it asks of clients. */
export function serverCredentials(config: GrpcSettings): ServerCredentials {
  const { cert, key, ca } = readFiles(config);
  if (!cert || !key) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], ca !== null);
}

/** How a client proves itself and whom it trusts. */
export function channelCredentials(config: GrpcSettings): ChannelCredentials {
  const { cert, key, ca } = readFiles(config);
  if (!cert || !key) return credentials.createInsecure();
  return credentials.createSsl(ca, key, cert);
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
    ca: read(config.GRPC_CA_FILE),
  };
}
