// The api in this process, over real HTTPS, on its own database and key prefix, with a stub sender behind it.

import { request as httpsRequest, Agent } from 'node:https';
import { gunzipSync } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';

import { createNoteRead } from '../../core/audit/note-read.ts';
import { createMetrics } from '../../core/base/metrics.ts';
import type { Logger } from '../../core/base/log.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { openNats } from '../../core/clients/nats.ts';
import { openRedis } from '../../core/clients/redis.ts';
import { untilLocked } from '../../core/db/brief-lock.ts';
import { readLimits } from '../../core/mailbox-provider/limits.ts';
import { openSender } from '../../core/clients/sender.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { createSamlReader } from '../../core/sso/saml-reader.ts';
import { createTemplateRenderer } from '../../core/template/renderer.ts';
import { createAccessTokens } from '../../core/people/access-token.ts';
import { createAuthenticator } from '../../core/people/authenticate.ts';
import { createTestOrigin } from '../../core/people/test-origin.ts';
import { createKey, type KeyWanted } from '../../core/key/keys.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import type { Tenant } from '../../core/tenant/tenant-store.ts';
import { createBucketEngagement } from '../../core/tracking/bucket-engagement.ts';
import { createServedHosts } from '../../core/tracking-host/served-hosts.ts';
import { createApp, createFetch } from '../../api/app.ts';
import { createReadClient } from '../../api/client-address.ts';
import { createClientLimits } from '../../api/client-limits.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { createContextFor } from '../../api/tracking/serve-tracking-hosts.ts';
import { createApiMetrics } from '../../api/metrics.ts';
import { createOpenStreams } from '../../api/open-streams.ts';
import { createRateLimiter } from '../../api/rate-limit.ts';
import { openReadContent } from '../../api/open-read-content.ts';
import { createOwnHealth } from '../../api/own-health.ts';
import { startHttps, startRedirect } from '../../api/servers.ts';
import { createTenantDatabase } from '../../api/tenant-database.ts';
import { createTenantSender } from '../../api/tenant-sender.ts';
import { createTimeBudget } from '../../api/time-budget.ts';
import { SELF_SIGNED } from './certificate.ts';
import { createContext, type Context } from './context.ts';
import { startStubSender, type StubSender } from './stub-sender.ts';
import { TESTER } from './actor.ts';

/** An answer, read. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Bytes of the body as it came, perhaps compressed. */
  size: number;
  /** The body as JSON, when it is. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely and assert what they find
  json: any;
}

/** What to ask. */
export interface Ask {
  key?: string | undefined;
  body?: unknown;
  /** Bytes as they are, instead of `body`. */
  raw?: string | Buffer;
  /** Content type of the body; JSON when left out, none when null. */
  type?: string | null;
  headers?: Record<string, string>;
}

/** One api process' worth of api. */
export interface RunningApi {
  deps: ApiDeps;
  port: number;
  redirectPort: number;
  /** Asks below /api/v1 unless the path begins with a double slash. */
  call(method: string, path: string, ask?: Ask): Promise<Answer>;
  graphql(query: string, variables?: unknown, ask?: Ask): Promise<Answer>;
  close(): Promise<void>;
}

/** One test file's api. */
export interface ApiWorld extends RunningApi {
  context: Context;
  stub: StubSender;
  /** Another api on the same stores, as another process would be. */
  startAnother(): Promise<RunningApi>;
  makeTenant(plan?: string): Promise<Tenant>;
  /** A key of a tenant, by default a new tenant's with every scope for sending. */
  makeKey(
    options?: Partial<Omit<KeyWanted, 'name'>>,
  ): Promise<{ key: string; keyId: string; tenantId: string }>;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 });

/** Starts it all. */
export async function createApiWorld(settings: Record<string, string> = {}): Promise<ApiWorld> {
  const stub = await startStubSender();
  const context = await createContext({
    SENDER_ADDRESSES: stub.address,
    GRAPHQL_INTROSPECTION: 'true',
    PUBLIC_URL: 'https://api.test',
    SYSTEM_MAIL_FROM: 'Postrider <no-reply@system.test>', // invitations.ts
    ...settings,
  });
  const first = await startApi(context, context.log);
  const others: RunningApi[] = [];
  const makeTenant = (plan = 'free') => createTenant(context, TESTER, { name: 'Acme', plan });
  return {
    ...first,
    context,
    stub,
    makeTenant,
    async startAnother() {
      const other = await startApi(context, context.log);
      others.push(other);
      return other;
    },
    async makeKey({ tenantId, ...wanted } = {}) {
      const owner = tenantId ?? (await makeTenant()).id;
      const scopes = ['transactional:send'];
      const made = await untilLocked(() =>
        createKey(context, TESTER, { scopes, ...wanted, tenantId: owner, name: 'test' }),
      );
      return { key: made.value, keyId: made.keyId, tenantId: owner };
    },
    async close() {
      await Promise.all([first, ...others].map((one) => one.close()));
      await stub.close();
      await context.close();
    },
  };
}

const REDIS_MS = 5_000; // the api and its clients share this process, so that an answer may be read late

/** Starts an api on the stores of a context. */
export async function startApi(context: Context, log: Logger): Promise<RunningApi> {
  const { config, buckets } = context;
  const { home } = buckets;
  const tenants = createTenantDatabase(buckets);
  const redis = await openRedis(config, log, REDIS_MS);
  const sender = createTenantSender(openSender(config, log), tenants);
  const nats = openNats(config, log);
  const tokens = createAccessTokens(config);
  const authenticator = createAuthenticator({ db: home, tokens, config, log });
  const renderer = createTemplateRenderer({ db: tenants.db, log, workers: 1 });
  const saml = createSamlReader(log);
  const webhookHttp = createGuardedHttp(config);
  const stopping = new AbortController();
  const engagement = createBucketEngagement({ buckets, nats, log });
  const traffic = { database: async () => (await home.pool.query('select 1')).rowCount === 1 };
  const checks = { traffic, beside: { redis: () => redis.ping() } };
  const deps: ApiDeps = {
    config,
    buckets,
    home,
    ...tenants,
    sender,
    nats,
    dns: createDomainDns(config),
    renderer,
    readComposed: openReadContent({ db: tenants.db, config, renderer, log }),
    noteRead: createNoteRead(),
    saml,
    testOrigin: createTestOrigin(),
    authenticator,
    tokens,
    webhook: { db: tenants.db, config, http: webhookHttp },
    providerLimits: (provider) => readLimits(redis, config.KEY_PREFIX, provider),
    limiter: createRateLimiter(redis, config.KEY_PREFIX, log),
    timeBudget: createTimeBudget(),
    streams: createOpenStreams(redis, config.KEY_PREFIX, log),
    engagement,
    trackingHosts: createServedHosts({ buckets, config, log }),
    ownHealth: createOwnHealth({ checks, nats, certificate: () => Buffer.from(SELF_SIGNED.cert) }),
    readClient: createReadClient(config.TRUSTED_PROXIES),
    metrics: createApiMetrics(createMetrics('api')),
    log,
    stopping: stopping.signal,
    fail: () => {},
  };
  const app = createApp(deps, { checks, isStopping: () => false });
  const listen = { host: '127.0.0.1', port: 0 };
  const tls = { cert: Buffer.from(SELF_SIGNED.cert), key: Buffer.from(SELF_SIGNED.key) };
  const clients = createClientLimits(config, deps.readClient);
  const https = await startHttps(createFetch(deps, app), tls, listen, clients, createContextFor(deps));
  const http = await startRedirect(deps, () => https.port, listen, clients);
  // A test calls verbs of its tenants outside of any request.
  const { db } = context;
  return {
    deps: { ...deps, db, webhook: { ...deps.webhook, db } },
    port: https.port,
    redirectPort: http.port,
    call: (method, path, ask = {}) => {
      const full = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
      return call(https.port, method, full, ask);
    },
    graphql: (query, variables, ask = {}) =>
      call(https.port, 'POST', '/graphql', { ...ask, body: { query, variables } }),
    async close() {
      stopping.abort();
      await Promise.all([https.close(), http.close()]);
      await engagement.close();
      await authenticator.close();
      await renderer.close();
      await saml.close();
      sender.close();
      await nats.close();
      await webhookHttp.close();
      await redis.close();
    },
  };
}

/** Asks any server of ours. */
export function call(port: number, method: string, path: string, ask: Ask): Promise<Answer> {
  const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  const headers = {
    ...(ask.key !== undefined && { authorization: `Bearer ${ask.key}` }),
    ...(body !== undefined && {
      ...(ask.type !== null && { 'content-type': ask.type ?? 'application/json' }),
      'content-length': Buffer.byteLength(body),
    }),
    ...ask.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { headers } = incoming;
        const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: incoming.statusCode ?? 0, headers, text, json: parse(text), size: bytes.length });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
