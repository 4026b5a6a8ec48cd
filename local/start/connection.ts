// What a program needs to know to use a running `npm start`: .local/connection.json.

import { readFile, rename, writeFile } from 'node:fs/promises';

import type { ServiceName } from './processes.ts';

/** The content of the file. Names are part of the contract with tests and tools. */
export interface Connection {
  base_url: string;
  /** The base URLs of other services' APIs, by service: their own hosts. */
  compat_urls: Record<string, string>;
  graphql_url: string;
  dashboard_url: string;
  ca_file: string;
  grpc_address: string;
  grpc_token: string;
  inbound_smtp: { host: string; port: number };
  /** `port` has STARTTLS, `tls_port` TLS from the start. */
  submission: { host: string; port: number; tls_port: number };
  simulator: { smtp_port: number; dns_port: number; http_port: number };
  tenant_id: string;
  domain: string;
  api_key: string;
  super_admin_token: string;
  dashboard: { email: string; password: string };
  database_url: string;
  redis_url: string;
  nats_url: string;
  pids: Record<ServiceName, number[]>;
}

/** Writes the file in one step, readable by its owner only: it holds keys. */
export async function writeConnection(file: string, connection: Connection): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Reads the file. Throws when no `npm start` that wrote it is up. */
export async function readConnection(file: string): Promise<Connection> {
  return JSON.parse(await readFile(file, 'utf8')) as Connection;
}
