// A request to one of our listeners under a name that no DNS of this machine has, with its certificate checked.

import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** What came back. */
export interface TlsAnswer {
  status: number;
  location: string | undefined;
  text: string;
  /** SHA-256 of the certificate that was shown. */
  fingerprint: string;
}

/** Asks. Rejects when the certificate is not for `servername`, or not of `ca` (PEM). */
export function askOverTls(ask: {
  port: number;
  servername: string;
  ca: string;
  path: string;
  host?: string;
  method?: string;
}): Promise<TlsAnswer> {
  const { port, servername, ca, path, method = 'GET', host = servername } = ask;
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      servername,
      ca,
      path,
      method,
      agent: false,
      headers: { host },
    };
    const outgoing = request(options, (incoming) => {
      const { fingerprint256 } = (incoming.socket as TLSSocket).getPeerCertificate();
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          location: incoming.headers.location,
          text: Buffer.concat(chunks).toString(),
          fingerprint: fingerprint256,
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
