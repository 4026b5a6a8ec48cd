// The settings that `npm start` gives its services. What the reader's own environment says wins, except for the
// ports, which were chosen from it already.

import { LOCAL_COMPAT_HOSTS, type TlsFiles } from '../tls.ts';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** What the settings are made from. */
export interface EnvironmentInput {
  own: Record<string, string | undefined>;
  ports: Ports;
  secrets: Secrets;
  tls: TlsFiles;
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
}

/** The environment of all four services. */
export function serviceEnvironment(input: EnvironmentInput): Record<string, string> {
  const { ports, secrets, tls } = input;
  const own = Object.entries(input.own).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    MASTER_KEY: secrets.master_key,
    INTERNAL_TOKEN: secrets.internal_token,
    TLS_CERT_FILE: tls.certFile,
    TLS_KEY_FILE: tls.keyFile,
    TLS_CA_FILE: tls.caFile,
    PUBLIC_URL: `https://localhost:${ports.apiHttps}`,
    COMPAT_HOSTS: JSON.stringify(LOCAL_COMPAT_HOSTS),
    SENDER_ADDRESSES: `127.0.0.1:${ports.grpc}`,
    DNS_SERVERS: `127.0.0.1:${ports.simulatorDns}`,
    OUTBOUND_SMTP_PORT: `${ports.simulatorSmtp}`,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    GRAPHQL_INTROSPECTION: 'true',
    STOP_DELAY_SECONDS: '0', // no balancer is in front
    INBOUND_HOSTNAME: 'mx.postrider.test',
    SYSTEM_MAIL_FROM: 'Postrider <no-reply@demo.test>', // the domain of seed.ts
    ...Object.fromEntries(own),
    DATABASE_URL: input.databaseUrl,
    REDIS_URL: input.redisUrl,
    NATS_URL: input.natsUrl,
    API_HTTPS_PORT: `${ports.apiHttps}`,
    API_HTTP_PORT: `${ports.apiHttp}`,
    SENDER_GRPC_PORT: `${ports.grpc}`,
    INBOUND_SMTP_PORT: `${ports.inboundSmtp}`,
    SUBMISSION_PORT: `${ports.submission}`,
    SUBMISSIONS_PORT: `${ports.submissions}`,
    METRICS_PORT: `${ports.metrics}`,
  };
}
