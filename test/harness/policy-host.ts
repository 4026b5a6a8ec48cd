// The HTTPS server of MTA-STS policies: https://mta-sts.<domain>/.well-known/mta-sts.txt for the domains of a test.

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { PeerCertificate } from './mail-authority.ts';

/** What is answered for a domain: the policy, or something worse. */
export type PolicyAnswer = string | { status: number; type?: string; body?: string; location?: string };

/** A listening host. Its answers can be changed at any time. */
export interface PolicyHost {
  port: number;
  /** By domain; none is 404. */
  answers: Map<string, PolicyAnswer>;
  /** Domains that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a host on a free port of 127.0.0.1. */
export async function startPolicyHost(certificate: PeerCertificate): Promise<PolicyHost> {
  const server = createServer(certificate, (request, response) => {
    const domain = (request.headers.host ?? '').replace(/^mta-sts\./, '').replace(/:\d+$/, '');
    host.asked.push(domain);
    const found = request.url === '/.well-known/mta-sts.txt' ? host.answers.get(domain) : undefined;
    const answer: Exclude<PolicyAnswer, string> =
      typeof found === 'string' ? { status: 200, body: found } : (found ?? { status: 404 });
    const { status, type = 'text/plain', body = '', location } = answer;
    response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host: PolicyHost = {
    port: (server.address() as AddressInfo).port,
    answers: new Map(),
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return host;
}
