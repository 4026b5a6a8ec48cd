// A whole sending side for one test file: real sender processes (and api), a mail server that accepts everything for
// sink.test, a DNS server that says so.

import { inject } from 'vitest';

import type { Context } from './context.ts';
import { createContext } from './context.ts';
import { startDnsPeer, type DnsPeer } from './dns-peer.ts';
import { makeSignedAccount, type Account } from './factories.ts';
import { startCopies, startService, type Service } from './service.ts';
import { startSmtpPeer, type PeerScript, type SmtpPeer } from './smtp-peer.ts';
import { writeTestCertificate } from './certificate-files.ts';
import { startTurns } from './turns.ts';

/** The running stack. */
export interface Stack {
  context: Context;
  sink: SmtpPeer;
  dns: DnsPeer;
  senders: Service[];
  apis: Service[];
  /** The first one. */
  api: Service | null;
  /** `https://…/api/v1` of the apis: connections take turns where there are several. */
  baseUrl: string;
  senderAddresses(): string[];
  /** Starts another sender, for example after one was killed. */
  addSender(env?: Record<string, string>): Promise<Service>;
  /** A tenant with a verified domain that can sign. */
  makeAccount(options?: { plan?: string; tier?: number }): Promise<Account>;
  /** How many messages of the account are in each state. */
  countByState(account: Account): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** What to start. */
export interface StackOptions {
  /** How many; a test about one process says 1. As many as the servers of the run want (test/harness/servers.ts) if left out. */
  senders?: number;
  /** One api, or as many as the servers of the run want. */
  api?: boolean;
  env?: Record<string, string>;
  sink?: PeerScript;
  /** The services (not the test) reach PostgreSQL through this port of 127.0.0.1. */
  databasePort?: number;
  /** It is for all test files in this process. */
  lasts?: boolean;
}

let shared: Promise<Stack> | undefined;

/**
 * The stack of all test files in this process that need nothing special: senders and api with everything as usual, but
 * that retries come at once. A file makes tenants of its own, and leaves services, clock and Redis alone.
 */
export async function shareStack(): Promise<Stack> {
  shared ??= createStack({
    api: true,
    env: { ...QUICK, PUBLIC_URL: 'https://mail.postrider.test' },
    lasts: true,
  });
  const stack = await shared;
  const { sink } = stack;
  sink.script = {};
  sink.messages = [];
  sink.commands = [];
  return { ...stack, close: () => Promise.resolve() };
}

/** Settings of senders that repeat at once. */
export const QUICK = { WORKER_LEASE_MS: '1500', TEST_RETRY_SCALE: '0.02' };

/** Starts everything and waits until it is ready. `env` goes to every process. */
export async function createStack(options: StackOptions = {}): Promise<Stack> {
  const sink = await startSmtpPeer(options.sink ?? {});
  const dns = await startDnsPeer({
    'sink.test': { mx: [[10, 'mx.sink.test']] },
    'mx.sink.test': { a: ['127.0.0.1'] },
  });
  const context = await createContext({
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(sink.port),
    ...options.env,
  });
  if (options.databasePort !== undefined) {
    const url = new URL(context.env['DATABASE_URL']!);
    url.host = `127.0.0.1:${options.databasePort}`;
    context.env['DATABASE_URL'] = url.toString();
  }
  const senderEnv = () => ({ ...context.env, LOG_LEVEL: 'warn' }); // a test may have changed it since
  const copies = inject('copies');
  const { lasts = false } = options;
  const senders = await startCopies('sender', options.senders ?? copies, senderEnv(), { lasts });
  const senderAddresses = () => senders.map((one) => `127.0.0.1:${one.env['SENDER_GRPC_PORT']}`);
  const apiEnv = {
    ...writeTestCertificate(),
    ...context.env,
    SENDER_ADDRESSES: senderAddresses().join(','),
  };
  const apis = await startCopies('api', options.api === true ? copies : 0, apiEnv, { lasts });
  const [api = null] = apis;
  const ports = apis.map(({ env }) => Number(env['API_HTTPS_PORT']));
  const turns = apis.length > 1 ? await startTurns(ports) : null;
  return {
    context,
    sink,
    dns,
    senders,
    apis,
    api,
    baseUrl: api ? `https://127.0.0.1:${turns?.port ?? ports[0]}/api/v1` : '',
    senderAddresses,
    addSender: async (env) => {
      const sender = await startService('sender', { ...senderEnv(), ...env });
      senders.push(sender);
      return sender;
    },
    makeAccount: (more) => makeSignedAccount(context, more),
    countByState: async (account) => {
      const { rows } = await context.db.pool.query<{ state: string; n: number }>(
        'select state, count(*)::int as n from messages where domain_id = $1 group by state',
        [account.domainId],
      );
      return Object.fromEntries(rows.map((row) => [row.state, row.n]));
    },
    close: async () => {
      await Promise.all([...senders, ...apis].map((one) => one.kill()));
      await turns?.close();
      await Promise.all([sink.close(), dns.close()]);
      await context.close();
    },
  };
}
