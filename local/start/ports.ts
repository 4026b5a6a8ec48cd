// Ports of one start: what the environment says; otherwise the documented ones where they are free, so that printed
// addresses stay the same; otherwise any.

import { freePort, freePortOr } from '../servers/free-port.ts';

/** Every port that `npm start` listens on, beside those of the private servers. */
export interface Ports {
  apiHttps: number;
  apiHttp: number;
  grpc: number;
  inboundSmtp: number;
  /** SMTP submission with STARTTLS. */
  submission: number;
  /** The same with TLS from the start. */
  submissions: number;
  /** Of api; sender, inbound and scheduler have the next three. */
  metrics: number;
  simulatorSmtp: number;
  simulatorDns: number;
  simulatorHttp: number;
}

const METRICS_PORTS = 4;
const TRIES = 50;

/** Chooses the ports. */
export async function choosePorts(env: Record<string, string | undefined>): Promise<Ports> {
  const choose = async (name: string, usual: number) => {
    const given = Number(env[name] ?? 0);
    return given > 0 ? given : freePortOr(usual);
  };
  return {
    apiHttps: await choose('API_HTTPS_PORT', 8443),
    apiHttp: await choose('API_HTTP_PORT', 8080),
    grpc: await choose('SENDER_GRPC_PORT', 50_051),
    inboundSmtp: await choose('INBOUND_SMTP_PORT', 2525),
    submission: await choose('SUBMISSION_PORT', 2587),
    submissions: await choose('SUBMISSIONS_PORT', 2465),
    metrics: Number(env['METRICS_PORT'] ?? 0) || (await freeRow(9464, METRICS_PORTS)),
    simulatorSmtp: await freePortOr(2526),
    simulatorDns: await freePortOr(5354),
    simulatorHttp: await freePortOr(8025),
  };
}

/** The first of `count` neighbouring free ports, `usual` if it can be. No later call of `freePort` returns one of them. */
export async function freeRow(usual: number, count: number): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const row: number[] = [];
    while (row.length < count)
      row.push(attempt === 0 ? await freePortOr(usual + row.length) : await freePort());
    const first = attempt === 0 ? usual : row[0]!;
    if (row.every((port, index) => port === first + index)) return first;
  }
  throw new Error(`no ${count} neighbouring free ports on 127.0.0.1`);
}
