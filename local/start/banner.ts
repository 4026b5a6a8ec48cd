// What `npm start` prints once everything works.

import { dirname } from 'node:path';

import type { Connection } from './connection.ts';
import type { FirstMessage } from './first-message.ts';

/** What the banner shows. */
export interface Started {
  connection: Connection;
  /** Where the connection is written. */
  connectionFile: string;
  first: FirstMessage;
  /** Login of the super-admin. */
  admin: { email: string; password: string };
  /** The environment of the services. */
  env: Record<string, string>;
}

/** The ready banner, ending in a line break. */
export function banner(
  { connection, connectionFile, first, admin }: Omit<Started, 'env'>,
  seconds: number,
): string {
  const { simulator, dashboard, submission } = connection;
  return `
Postrider is ready after ${seconds.toFixed(1)} s. ${firstLine(first, connection)}

  dashboard   ${connection.dashboard_url}   ${dashboard.email} / ${dashboard.password}
              as super-admin: ${admin.email} / ${admin.password}
  API         ${connection.base_url}   (documentation: ${connection.base_url}/docs)
${compatLines(connection)}  simulator   http://127.0.0.1:${simulator.http_port}/   (the mail it caught; publish a new domain's DNS records here)
  inbound     smtp://${connection.inbound_smtp.host}:${connection.inbound_smtp.port}
  submission  smtp://${submission.host}:${submission.port} (STARTTLS), smtps://${submission.host}:${submission.tls_port}; any user name, API key as password
  gRPC        ${connection.grpc_address}
  all of it   ${connectionFile}
  logs        ${dirname(connectionFile)}/log/

Send a message:

  ${curlLine(connection)}

Ctrl-C stops everything.
`;
}

function compatLines({ compat_urls: urls }: Connection): string {
  const line = ([service, url]: [string, string]) =>
    `  ${service.padEnd(11)} ${url}   (for its own clients: docs/compat-${service}.md)\n`;
  return Object.entries(urls).map(line).join('');
}

function firstLine(first: FirstMessage, { domain, tenant_id: tenant }: Connection): string {
  if ('ms' in first) return `First message ${first.id}: delivered in ${first.ms.toFixed(0)} ms.`;
  if ('deferred' in first)
    return `First message ${first.id}: waits until ${first.deferred.until} (${first.deferred.reason}).`;
  const { error, message } = first.refused;
  const refusal = `The first message was refused: ${message}`;
  if (error !== 'domain_paused') return refusal;
  return `${refusal}\nTo resume it: npm run cli -- domain resume ${domain} --tenant ${tenant}`;
}

/** A command that sends one message, fit to be pasted into a shell. */
export function curlLine(connection: Connection): string {
  const body = {
    from: `hello@${connection.domain}`,
    to: 'delivered@simulator.test',
    subject: 'Hello',
    text: 'Hello from curl',
  };
  return [
    'curl',
    `--cacert ${quoted(connection.ca_file)}`,
    `-H ${quoted(`Authorization: Bearer ${connection.api_key}`)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    `-d ${quoted(JSON.stringify(body))}`,
    quoted(`${connection.base_url}/transactional/send`),
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
