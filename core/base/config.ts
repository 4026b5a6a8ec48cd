// One place where settings are read. Every service gets the same typed object; a bad or misspelt setting
// stops the start with a sentence that says which one and why. Secrets are never logged (see log.ts).

import { z } from 'zod';

import { METRICS_PORT } from './metrics-ports.ts';
import { parseSentinelUrl } from './sentinel-url.ts';
import {
  compatHosts,
  databaseUrl,
  number,
  flag,
  keyValues,
  list,
  optionalText,
  pools,
  port,
  providers,
  routes,
  secretKey,
  senderAddresses,
  integer,
} from './setting-kinds.ts';

const HOUR_MS = 3_600_000;

/** Every setting with its default. The text of `describe` is the line in the README's table. */
export const settings = z.object({
  DATABASE_URL: databaseUrl.describe(
    'PostgreSQL ≥ 15, the record of everything; several servers in libpq’s form, host:5432,host:5432',
  ),
  DATABASE_POOL_SIZE: integer(10, { min: 2, max: 100 }).describe(
    'connections per process (a sender has 3 at least); each process has up to 2 more, which only check the database',
  ),
  REDIS_URL: list
    .refine((urls) => !urls.some((url) => url.includes('sentinel:')) || parseSentinelUrl(urls.join(',')), {
      message: 'must be redis+sentinel://:password@host:26379,host:26379/name-of-the-master',
    })
    .describe(
      'Redis ≥ 7; several addresses, separated by commas, mean Redis Cluster; redis+sentinel://host:26379,host:26379/name asks Sentinel',
    ),
  NATS_URL: list.describe('NATS ≥ 2.9 with JetStream; several addresses of one cluster, separated by commas'),
  KEY_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]{1,40}$/)
    .default('postrider')
    .describe('first part of all Redis keys, NATS subjects and JetStream streams'),
  MASTER_KEY: secretKey.describe('32 random bytes (base64); encrypts stored secrets, signs tokens'),
  MASTER_KEY_PREVIOUS: secretKey.optional().describe('the key before, still accepted while rotating'),
  BIND_ADDRESS: z.string().default('127.0.0.1').describe('address that all listeners bind'),
  API_HTTPS_PORT: port(8443).describe('REST, GraphQL and the dashboard'),
  API_HTTP_PORT: port(8080).describe('answers 301 to HTTPS'),
  SENDER_GRPC_PORT: port(50_051).describe('gRPC of the sender'),
  INBOUND_SMTP_PORT: port(2525).describe('SMTP of inbound'),
  SUBMISSION_PORT: port(2587).describe('SMTP submission of api, with STARTTLS'),
  SUBMISSIONS_PORT: port(2465).describe('SMTP submission of api, with TLS from the start'),
  METRICS_PORT: port(METRICS_PORT).describe('metrics and health of api; sender +1, inbound +2, scheduler +3'),
  TLS_CERT_FILE: optionalText.describe('certificate chain (PEM) of api and inbound'),
  TLS_KEY_FILE: optionalText.describe('its private key (PEM)'),
  TLS_CA_FILE: optionalText.describe(
    'certificate (PEM) of its authority, if that is not a public one; the code of the first steps trusts it, and writes to the simulator. `npm start` sets it',
  ),
  API_CONNECTIONS_PER_ADDRESS: integer(200, { min: 1, max: 100_000 }).describe(
    'maximum connections from one IPv4 address or IPv6 /64 to one api process (HTTPS and HTTP together); TRUSTED_PROXIES are exempt',
  ),
  TRUSTED_PROXIES: list.describe('CIDRs whose X-Forwarded-For and X-Forwarded-Proto are believed'),
  PUBLIC_URL: z.url().default('https://localhost:8443').describe('what recipients see in tracking links'),
  TRACKING_HOSTNAME: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host name in lower case')
    .optional()
    .describe(
      'value of the CNAME records that make `track.<domain>` a tracking host; the host of PUBLIC_URL if left out',
    ),
  COMPAT_HOSTS: compatHosts.describe(
    'JSON object: service (resend, sendgrid, postmark) → host name at whose root its API is served, beside /compat/<service>; for clients that keep only the host of their base URL (docs/operating.md)',
  ),
  ACME_DIRECTORY_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe(
      'ACME directory (RFC 8555) that certificates of tracking hosts are ordered from; setting it agrees to its terms of service',
    ),
  ACME_EMAIL: z.email().optional().describe('address that the directory may write to'),
  TRACKING_CERT_FOLDER: optionalText.describe(
    'folder with certificates of tracking hosts, `<any name>.crt` (chain, PEM) beside `<any name>.key`; read by the scheduler',
  ),
  SYSTEM_MAIL_FROM: z
    .string()
    .regex(/^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address or Name <address>')
    .optional()
    .describe(
      'sender of invitations and other mail of this service to people; its domain must be verified by a tenant, which sends it',
    ),
  SECOND_FACTOR_REQUIRED: z
    .enum(['nobody', 'super_admins', 'everybody'])
    .default('nobody')
    .describe('who needs a second factor (TOTP) to sign in with a password, besides tenants that require it'),
  GRAPHQL_INTROSPECTION: flag(false).describe('allow the standard introspection query'),
  SENDER_ADDRESSES: senderAddresses.describe(
    'where the senders are, separated by commas: host:port of each, or a name of many that DNS knows, dns:///name:port (every A and AAAA record) or srv:///_service._tcp.name (docs/operating.md)',
  ),
  INTERNAL_TOKEN: z.string().min(16).describe('bearer token between our own services (gRPC)'),
  GRPC_REFLECTION: flag(true).describe(
    'the sender describes its methods to callers with the token (grpcurl)',
  ),
  GRPC_CERT_FILE: optionalText.describe('certificate (PEM) for gRPC, both as server and as client'),
  GRPC_KEY_FILE: optionalText.describe('its private key (PEM)'),
  GRPC_CA_FILE: optionalText.describe('CA (PEM); with it both sides must show a certificate (mTLS)'),
  DNS_SERVERS: list.describe('ip:port of DNS servers to ask instead of the system ones'),
  OUTBOUND_ROUTES: routes.describe(
    'JSON list of routes: name, url, weight, sub_cap_share, pool (its connections leave from that pool)',
  ),
  EGRESS_POOLS: pools.describe(
    'JSON list of pools: name, sources (address, hostname for EHLO, warmup), tenants who may use it (all if left out); mail leaves from the pool of its domain or route, without one from the system’s own address (docs/deliverability.md)',
  ),
  MAILBOX_PROVIDERS: providers.describe(
    'JSON list of mailbox providers beside those that are known, or instead of them: name, mx (names that their MX hosts end in), connections, per_minute',
  ),
  OUTBOUND_HOSTNAME: z.string().default('localhost').describe('our name in EHLO; should match reverse DNS'),
  OUTBOUND_SMTP_PORT: port(25).describe('port of a recipient’s MX on the direct route'),
  OUTBOUND_TLS: z
    .enum(['opportunistic', 'required', 'off'])
    .default('opportunistic')
    .describe(
      'STARTTLS towards an MX: use if offered, insist, or never; a policy of the recipient’s domain (MTA-STS, DANE) is enforced but for `off`',
    ),
  OUTBOUND_DANE: flag(false).describe(
    'DANE (RFC 7672): believes the AD bit of the DNS servers, which must validate DNSSEC and be reached over a line that you trust',
  ),
  OUTBOUND_TLS_REPORT_FROM: z
    .string()
    .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an address')
    .optional()
    .describe(
      'address from which TLS reports (RFC 8460) are sent, at a verified domain; none are sent without it',
    ),
  OUTBOUND_ALLOW_PRIVATE: flag(false).describe('let the direct route connect to private addresses'),
  OUTBOUND_MAX_CONNECTIONS: integer(20, { min: 1, max: 1000 }).describe(
    'most SMTP connections to one destination',
  ),
  OUTBOUND_TIMEOUT_SECONDS: integer(60, { min: 1, max: 600 }).describe(
    'silence of a peer after which an attempt is given up (RFC 5321 4.5.3.2 allows 300)',
  ),
  OUTBOUND_DOT_TIMEOUT_SECONDS: integer(600, { min: 1, max: 3600 }).describe(
    'the same for the answer to a whole message: less than a peer needs to scan it means duplicates',
  ),
  MESSAGE_MAX_AGE_HOURS: number(96, { min: 0.001, max: 168 }).describe(
    'how long a failing message is retried (RFC 5321 4.5.4.1 asks for 96 to 120)',
  ),
  DKIM_ED25519: flag(false).describe('sign new domains with Ed25519 beside RSA'),
  INBOUND_HOSTNAME: z
    .string()
    .default('localhost')
    .describe('value of the MX records that customers publish'),
  INBOUND_SESSION_SECONDS: integer(900, { min: 1, max: 7200 }).describe(
    'longest SMTP session of inbound, whatever is going on in it',
  ),
  INBOUND_IDLE_SECONDS: integer(300, { min: 1, max: 3600 }).describe(
    'silence of a client after which inbound hangs up (RFC 5321 4.5.3.2.7 asks for 300)',
  ),
  INBOUND_MAX_CONNECTIONS: integer(1000, { min: 1, max: 100_000 }).describe(
    'most SMTP sessions of one inbound process',
  ),
  INBOUND_CONNECTIONS_PER_ADDRESS: integer(100, { min: 1, max: 100_000 }).describe(
    'most SMTP sessions from one IPv4 address or IPv6 /64',
  ),
  SUBMISSION_SESSION_SECONDS: integer(3600, { min: 1, max: 86_400 }).describe(
    'longest session of SMTP submission; mail programs keep one open for many messages',
  ),
  SUBMISSION_IDLE_SECONDS: integer(300, { min: 1, max: 3600 }).describe(
    'silence of a client after which submission hangs up (RFC 5321 4.5.3.2.7 asks for 300)',
  ),
  SUBMISSION_MAX_CONNECTIONS: integer(1000, { min: 1, max: 100_000 }).describe(
    'most SMTP sessions of one api process, for each of its two ports',
  ),
  SUBMISSION_CONNECTIONS_PER_ADDRESS: integer(100, { min: 1, max: 100_000 }).describe(
    'most of them from one IPv4 address or IPv6 /64',
  ),
  SUBMISSION_MEMORY_MIB: integer(64, { min: 32, max: 65_536 }).describe(
    'MiB of messages that one api process takes in at a time over SMTP; more get 452. It needs about three times as much memory',
  ),
  INBOUND_PARSERS: integer(1, { min: 1, max: 32 }).describe(
    'processes that parse stored mail, per inbound process; for a while more when one is replaced or mail crashed one',
  ),
  RSPAMD_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'rspamd that judges inbound mail, such as http://127.0.0.1:11333; without it mail is not scanned (docs/inbound.md)',
    ),
  RSPAMD_PASSWORD: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII')
    .optional()
    .describe('its password, if its worker asks for one'),
  INBOUND_RETENTION_DAYS: number(30, { min: 1, max: 3650 }).describe(
    'days after which inbound mail and its deliveries are deleted',
  ),
  WARMUP_PER_ESP_ENFORCE: flag(false).describe('defer sends over the sub-cap of their route'),
  RETENTION_MESSAGE_DAYS: integer(90, { min: 35, max: 3650 }).describe(
    'days that messages, attempts and events are kept, by whole weeks',
  ),
  RETENTION_CONTENT_DAYS: integer(60, { min: 35, max: 3650 }).describe(
    'days that the contents of messages are kept, by whole weeks',
  ),
  OPS_WEBHOOK_URL: z.url().optional().describe('chat webhook for operations notices'),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,19}$/)
    .default('Svc')
    .describe('X-<prefix>-Inbound-… headers'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('let webhooks use http and private addresses'),
  WEBHOOK_CONCURRENCY: integer(300, { min: 1, max: 10_000 }).describe(
    'most webhook requests of one inbound process at a time',
  ),
  WEBHOOK_ENDPOINT_CONCURRENCY: integer(20, { min: 1, max: 1000 }).describe(
    'most of them to one endpoint; fewer while it fails',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least severe level that is logged'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'where traces go (OTLP over HTTP), such as http://127.0.0.1:4318; without it none are made (docs/operating.md)',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('which messages are traced; the parentbased ones do what the caller’s traceparent says'),
  OTEL_TRACES_SAMPLER_ARG: number(1, { min: 0, max: 1 }).describe(
    'part of all traces that the two ratio samplers take, 0 to 1',
  ),
  OTEL_SERVICE_NAME: optionalText.describe(
    'name of a service in traces; without it postrider-api, postrider-sender, postrider-inbound or postrider-scheduler',
  ),
  OTEL_RESOURCE_ATTRIBUTES: keyValues.describe(
    'what else traces say of a service: key=value, separated by commas, values percent-encoded',
  ),
  SENDER_MAX_IN_FLIGHT: integer(2000, { min: 1, max: 100_000 }).describe(
    'most messages that one sender claims for delivery at a time',
  ),
  SENDER_BULK_ONLY: flag(false).describe(
    'a sender for campaigns, at a lower priority of the operating system; the other senders leave bulk mail to it while it lives',
  ),
  PACK_CONTENT: flag(true).describe(
    'senders store what messages say packed (zstd); false while versions before it run or may run again (docs/operating.md)',
  ),
  STOP_DELAY_SECONDS: number(5, { min: 0, max: 600 }).describe(
    'how long a service that stops says that it is not ready before it accepts nothing new: longer than your balancer needs to notice',
  ),
  SENDER_DRAIN_SECONDS: integer(20, { min: 1, max: 3600 }).describe(
    'how long a sender that stops waits for the answers of peers; more needs a longer grace period too (docs/operating.md)',
  ),
  WORKER_LEASE_MS: integer(20_000, { min: 500, max: 60_000 }).describe(
    'silence after which the messages of a sender go to another',
  ),
  LIVE_VIEW_SECONDS: number(3600, { min: 1, max: 3600 }).describe(
    'longest life of a live view (a GraphQL subscription); it then ends cleanly, and its client opens it again',
  ),
  WATCHDOG_STALL_SECONDS: number(10, { min: 0, max: 300 }).describe(
    'stand-still of the event loop after which the process ends, to be started again; 0 = never',
  ),
  TEST_KNOBS: flag(false).describe('tests only: allows the settings that start with TEST_'),
  TEST_RETRY_SCALE: number(1, { min: 0.0001, max: 1 }).describe(
    'tests only: factor on all gaps between attempts',
  ),
  TEST_MTA_STS_PORT: port(443).describe('tests only: port of the hosts that serve MTA-STS policies'),
  TEST_FAILPOINTS: list.describe('tests only: names of steps at which the process kills itself'),
});

// Old name → new name. The old one is read for one more version, with a warning.
const RENAMED: Readonly<Record<string, keyof Config>> = { SENDER_IN_HAND: 'SENDER_MAX_IN_FLIGHT' };

/** The settings of one process, checked and typed. */
export type Config = z.infer<typeof settings>;

/** Inbound asks no sender and no Redis: it starts without what opens them. */
export type InboundConfig = Omit<Config, 'REDIS_URL' | 'INTERNAL_TOKEN'>;

/** The scheduler asks no Redis. */
export type SchedulerConfig = Omit<Config, 'REDIS_URL'>;

/** Why a start was refused: one line per bad setting, fit to print. */
export class ConfigError extends Error {}

/** An environment, as a process has it. */
type Env = Record<string, string | undefined>;

/** Reads the settings from an environment. Throws ConfigError naming every bad or misspelt one. */
export function loadConfig(env: Env): Config {
  return read(env, settings);
}

/** The same for inbound. */
export function loadInboundConfig(env: Env): InboundConfig {
  return read(env, settings.omit({ REDIS_URL: true, INTERNAL_TOKEN: true }));
}

/** The same for a scheduler. */
export function loadSchedulerConfig(env: Env): SchedulerConfig {
  return read(env, settings.omit({ REDIS_URL: true }));
}

function read<Settings extends InboundConfig>(env: Env, schema: z.ZodType<Settings>): Settings {
  const given = withNewNames(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== '')),
  );
  const problems = misspelt(Object.keys(given));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${issue.path.join('.')}: ${issue.message}`);
  } else {
    problems.push(...unknownPools(parsed.data), ...takenHosts(parsed.data));
    if (!parsed.data.TEST_KNOBS) {
      if (parsed.data.TEST_FAILPOINTS.length > 0)
        problems.push('TEST_FAILPOINTS: is for tests only and needs TEST_KNOBS=true');
      if (parsed.data.TEST_RETRY_SCALE !== 1)
        problems.push('TEST_RETRY_SCALE: is for tests only and needs TEST_KNOBS=true');
      if (parsed.data.TEST_MTA_STS_PORT !== 443)
        problems.push('TEST_MTA_STS_PORT: is for tests only and needs TEST_KNOBS=true');
    }
  }
  if (problems.length > 0 || !parsed.success) {
    throw new ConfigError(`bad settings:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return parsed.data;
}

function unknownPools({ OUTBOUND_ROUTES, EGRESS_POOLS }: InboundConfig): string[] {
  const known = new Set(EGRESS_POOLS.map(({ name }) => name));
  return OUTBOUND_ROUTES.filter(({ pool }) => pool !== undefined && !known.has(pool)).map(
    ({ name, pool }) => `OUTBOUND_ROUTES: ${name} names the pool ${pool}, which EGRESS_POOLS does not have`,
  );
}

// The dashboard, REST and links have that name.
function takenHosts({ COMPAT_HOSTS, PUBLIC_URL }: InboundConfig): string[] {
  return Object.entries(COMPAT_HOSTS)
    .filter(([, host]) => host === new URL(PUBLIC_URL).hostname)
    .map(([service, host]) => `COMPAT_HOSTS: ${service} has the host of PUBLIC_URL, ${host}`);
}

// A setting that is given under both names has the value of the new one.
function withNewNames(given: Record<string, string | undefined>): Record<string, string | undefined> {
  for (const [old, name] of Object.entries(RENAMED)) {
    if (given[old] === undefined) continue;
    given[name] ??= given[old];
    delete given[old];
    process.emitWarning(
      `${old} is now called ${name}; the old name goes in the next version`,
      'DeprecationWarning',
    );
  }
  return given;
}

/** Age in milliseconds at which a message that keeps failing expires. */
export function messageMaxAgeMs(config: Pick<Config, 'MESSAGE_MAX_AGE_HOURS'>): number {
  return config.MESSAGE_MAX_AGE_HOURS * HOUR_MS;
}

// Only names that begin like ours are judged: the environment is full of other programs' variables, grpc-js itself
// reads GRPC_TRACE, GRPC_VERBOSITY and more, and Kubernetes adds SENDER_SERVICE_HOST, SENDER_PORT_… for a service called "sender".
const OUR_PREFIXES =
  /^(API|COMPAT|SENDER|SUBMISSIONS?|INBOUND|OUTBOUND|EGRESS|SCHEDULER|STOP|MAILBOX|METRICS|WARMUP|WEBHOOK|GRAPHQL|GRPC_(CERT|KEY|CA)|DKIM|MESSAGE|MASTER|TRUSTED|OPS|RETENTION|SYSTEM_MAIL|WORKER|WATCHDOG|RSPAMD|TEST)_/;
const KUBERNETES = /_(SERVICE_HOST$|SERVICE_PORT$|SERVICE_PORT_|PORT$|PORT_\d+_)/;

function misspelt(names: string[]): string[] {
  const known = new Set(Object.keys(settings.shape));
  return names
    .filter((name) => !known.has(name) && OUR_PREFIXES.test(name) && !KUBERNETES.test(name))
    .map((name) => `${name}: is not a setting; see the table in README.md`);
}
