// The delivery half of a sender on real stores, with scripted mail servers and DNS around it.

import { createFailpoints } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createMetrics } from '../../core/base/metrics.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { createDns } from '../../core/clients/dns.ts';
import { openNats, type Nats } from '../../core/clients/nats.ts';
import { openRedis } from '../../core/clients/redis.ts';
import { dkimRecordValue, makeDkimKeys } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { acceptMessages } from '../../core/message/accept-store.ts';
import { keepPlain } from '../../core/message/stored-content.ts';
import { textFromHtml } from '../../core/mail/compose/text-from-html.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { BucketDelivery } from '../../sender/deliver/open-bucket.ts';
import {
  openDelivery,
  type OpenDelivery,
  type OpenDeliveryDeps,
} from '../../sender/deliver/open-delivery.ts';
import { createContext, type Context } from './context.ts';
import { startDnsPeer, type DnsPeer } from './dns-peer.ts';
import { makeAccount, type Account } from './factories.ts';
import { startSmtpPeer, type PeerScript, type SmtpPeer } from './smtp-peer.ts';
import { testBucket } from './test-database.ts';
import { waitUntil } from './wait.ts';

/** The delivery half of a sender, open for the bucket of the test. */
export type OpenSender = BucketDelivery & Pick<OpenDelivery, 'drain' | 'stats' | 'stop'>;

/** What a delivery test works with. */
export interface DeliveryWorld {
  context: Context;
  account: Account;
  dns: DnsPeer;
  nats: Nats;
  /** What the DKIM record of the account's domain says. */
  dkimRecord: string;
  /** Starts a mail server that is the only MX of a domain. All of them share one port, on addresses of their own. */
  startPeer(domain: string, script?: PeerScript): Promise<SmtpPeer>;
  /** Starts a sender's delivery half. */
  open(more?: Partial<OpenDeliveryDeps>): Promise<OpenSender>;
  /** Puts a message into the record, admitted and due. Returns its id. */
  queue(rcptTo: string, more?: Partial<QueuedMessage>): Promise<string>;
  /** Puts many in at once. */
  queueAll(rcptTo: string[], more?: Partial<QueuedMessage>): Promise<string[]>;
  /** Waits until a message is in one of these states, and gives its row. */
  untilState(id: string, ...states: string[]): Promise<MessageState>;
  rows<T>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** The parts of a queued message that tests change. */
export interface QueuedMessage {
  /** Whose it is: the world's own account unless said. */
  account: Account;
  stream: Stream;
  text: string;
  html: string;
  subject: string;
  esp: string | null;
  /** More of what is sent. */
  outgoing: Parameters<typeof OutgoingMessage.fromPartial>[0];
  domainId: string;
  expiresInMs: number;
}

/** The row of a message, as far as tests look at it. */
export interface MessageState {
  state: string;
  reason: string | null;
  defer_reason: string | null;
  attempts: number;
  claimed_by: string | null;
  claim_version: number;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

/** Makes the world: DNS, one tenant with a signing domain, nothing running yet. */
export async function createDeliveryWorld(overrides: Record<string, string> = {}): Promise<DeliveryWorld> {
  const dns = await startDnsPeer({});
  const port = await sharedPort();
  const context = await createContext({
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(port),
    OUTBOUND_HOSTNAME: 'out.postrider.test',
    OUTBOUND_TIMEOUT_SECONDS: '5',
    OUTBOUND_DOT_TIMEOUT_SECONDS: '5',
    TEST_RETRY_SCALE: '0.005',
    WORKER_LEASE_MS: '1000',
    ...overrides,
  });
  const account = await makeAccount(context.db);
  const [sealKey] = deriveKeys(context.config, 'secret-box');
  const keys = await makeDkimKeys({ tenantId: account.tenantId, ed25519: false, sealKey });
  await insertKeys(context.db.pool, account, 'active', keys);
  const nats = openNats(context.config, context.log);
  const redis = await openRedis(context.config, context.log);
  const peers: SmtpPeer[] = [];
  const open: OpenSender[] = [];
  const pool = context.db.pool;
  const world: DeliveryWorld = {
    context,
    account,
    dns,
    nats,
    dkimRecord: dkimRecordValue(keys[0]!),
    startPeer: async (name, script = {}) => {
      const address = `127.0.0.${peers.length + 2}`;
      dns.zone[name] = { mx: [[10, `mx.${name}`]] };
      dns.zone[`mx.${name}`] = { a: [address] };
      const peer = await startSmtpPeer(script, address, port);
      peers.push(peer);
      return peer;
    },
    open: async (more = {}) => {
      const opened = await openDelivery({
        config: context.config,
        home: context.buckets.home,
        buckets: context.buckets,
        redis,
        nats,
        dns: createDns(context.config),
        render: async () => ({ ok: false, reason: 'no templates here' }),
        textOf: async (_tenantId, html) => textFromHtml(html) ?? '',
        fail: createFailpoints([]),
        log: context.log,
        metrics: createMetrics('sender'),
        ...more,
      });
      const home = more.home ?? context.buckets.home;
      const own = await opened.open(home.inBucket(testBucket()), testBucket());
      const { drain, stats, stop } = opened;
      open.push({ ...own, drain, stats, stop });
      return open.at(-1)!;
    },
    queue: async (rcptTo, more) => (await world.queueAll([rcptTo], more))[0]!,
    queueAll: async (rcptTo, more = {}) => {
      const rows = rcptTo.map((to) => messageRow(more.account ?? account, to, more));
      await inTransaction(pool, (client) => acceptMessages(client, rows));
      for (const one of open) one.delivery.wake();
      return rows.map((row) => row.id);
    },
    untilState: async (id, ...states) => {
      let row: MessageState | undefined;
      await waitUntil(
        async () => {
          [row] = await world.rows<MessageState>('select * from messages where id = $1', [id]);
          return row !== undefined && states.includes(row.state);
        },
        { what: () => `${states.join(' or ')}; it is ${JSON.stringify(row)}` },
      );
      return row!;
    },
    rows: async <T>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as T[],
    close: async () => {
      for (const one of open) await one.stop();
      for (const peer of peers) await peer.close();
      await Promise.all([nats.close(), redis.close()]);
      await dns.close();
      await context.close();
    },
  };
  return world;
}

function messageRow(account: Account, rcptTo: string, more: Partial<QueuedMessage>) {
  const headerFrom = `Shop <shop@${account.domain}>`;
  const subject = more.subject ?? 'Hello';
  const { text = 'Hello there', html = '' } = more;
  const own = { from: headerFrom, to: [rcptTo], subject, text, html };
  const outgoing = OutgoingMessage.fromPartial({ ...own, ...more.outgoing });
  return {
    id: newUuid(),
    tenantId: account.tenantId,
    domainId: more.domainId ?? account.domainId,
    stream: more.stream ?? ('transactional' as const),
    origin: 'api' as const,
    state: 'queued' as const,
    reason: null,
    deferReason: null,
    deferredUntil: null,
    nextAttemptAt: new Date(Date.now() - 1000),
    admittedDay: new Date().toISOString().slice(0, 10),
    esp: more.esp ?? null,
    headerFrom,
    rcptTo,
    subject,
    templateId: null,
    templateVersion: null,
    groupId: null,
    addressField: null,
    campaignId: null,
    contactId: null,
    tags: [],
    claimVersion: 0,
    claimedBy: null,
    expiresAt: new Date(Date.now() + (more.expiresInMs ?? 3_600_000)),
    finishedAt: null,
    dayTier: 0,
    dayCap: 50,
    dayUsed: 1,
    dayReserved: 0,
    decisions: null,
    content: keepPlain(Buffer.from(OutgoingMessage.encode(outgoing).finish())),
    confidential: false,
  };
}

// A port that is free now; the addresses 127.0.0.2 and on are hardly used by anything else.
async function sharedPort(): Promise<number> {
  const probe = await startSmtpPeer({}, '127.0.0.2');
  await probe.close();
  return probe.port;
}
