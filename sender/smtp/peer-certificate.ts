// What a mail server's certificate says, and what it is worth: whether an authority that we trust signed it for the name of
// the host.

import type { TLSSocket } from 'node:tls';

import type { PeerCertificate } from '../../core/message/outcome.ts';

/** The TLS of a connection, as attempts record it. */
export interface TlsFacts {
  /** Version and cipher, `TLSv1.3 TLS_AES_256_GCM_SHA384`. */
  version: string;
  verified: boolean;
  certificate: PeerCertificate | null;
  /** Why Node or OpenSSL do not trust it, as their code; null when they do. */
  problem: string | null;
  /** Of the host, and of ours, as the socket had them. */
  address: string;
  ourAddress: string;
}

const MAX_NAME_CHARS = 200; // of a distinguished name, which the host may make as long as it likes

/** What is recorded of a socket. */
export function readTls(socket: TLSSocket, verified: boolean): TlsFacts {
  const shown = socket.getPeerX509Certificate();
  return {
    version: `${socket.getProtocol()} ${socket.getCipher().standardName}`,
    verified,
    certificate: shown
      ? {
          subject: inOneLine(shown.subject),
          issuer: inOneLine(shown.issuer),
          expiresAt: shown.validToDate.toISOString(),
          fingerprint: shown.fingerprint256,
        }
      : null,
    problem: socket.authorized ? null : codeOf(socket),
    address: socket.remoteAddress ?? '',
    ourAddress: socket.localAddress ?? '',
  };
}

// A certificate without a subject has undefined here, whatever the types say.
function inOneLine(name: string | undefined): string {
  const line = (name ?? '').replaceAll('\n', ', ').toWellFormed();
  // oxlint-disable-next-line no-control-regex -- controls are what is taken out: jsonb takes no NUL
  return line
    .replace(/[\x00-\x1f\x7f]/g, ' ')
    .slice(0, MAX_NAME_CHARS)
    .toWellFormed();
}

/** Why the certificate is not valid for the host, in words; null when it is. The handshake has checked it. */
export function certificateProblem(socket: TLSSocket): string | null {
  if (socket.authorized) return null;
  const code = codeOf(socket);
  return WORDS[code] ?? code;
}

function codeOf(socket: TLSSocket): string {
  return String(socket.authorizationError ?? 'UNKNOWN');
}

// Codes of Node and OpenSSL: https://nodejs.org/api/tls.html#x509-certificate-error-codes
const WORDS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for other names',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its authority is not trusted, or the server left out intermediate certificates',
};
