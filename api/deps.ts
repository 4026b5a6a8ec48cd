// Everything that answering a request needs, opened once in main.ts.

import type { NoteRead } from '../core/audit/note-read.ts';
import type { Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import type { Buckets } from '../core/db/buckets.ts';
import type { Database } from '../core/db/pool.ts';
import type { ReadContent } from '../core/message/read-content.ts';
import type { ProviderLimits } from '../core/mailbox-provider/limits.ts';
import type { MailboxProvider } from '../core/mailbox-provider/provider-table.ts';
import type { DomainDns } from '../core/domain/dns-lookup.ts';
import type { ServedHosts } from '../core/tracking-host/served-hosts.ts';
import type { SamlReader } from '../core/sso/saml-reader.ts';
import type { TemplateRenderer } from '../core/template/renderer.ts';
import type { AccessTokens } from '../core/people/access-token.ts';
import type { Authenticator } from '../core/people/authenticate.ts';
import type { TestOrigin } from '../core/people/test-origin.ts';
import type { TestSendDeps } from '../core/webhook/test-send.ts';
import type { EngagementRecorder } from '../core/tracking/engagement-recorder.ts';
import type { ReadClient } from './client-address.ts';
import type { ApiMetrics } from './metrics.ts';
import type { OpenStreams } from './open-streams.ts';
import type { OwnHealth } from './own-health.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { TenantDatabase } from './tenant-database.ts';
import type { TimeBudget } from './time-budget.ts';

/** What REST, GraphQL and the other API surfaces work with. */
export interface ApiDeps extends TenantDatabase {
  config: Config;
  buckets: Buckets;
  /** What there is once for the service: who comes in, and what happens before a tenant is known, or without one. */
  home: Database;
  sender: SenderClient;
  /** Live views are published to and subscribed through it; all else works without. */
  nats: Nats;
  dns: DomainDns;
  /** What was learned of a mailbox provider's limits. */
  providerLimits: (provider: MailboxProvider) => Promise<ProviderLimits>;
  renderer: TemplateRenderer;
  /** What a message of the current tenant says. APIs ask read-content.ts, which notes who reads. */
  readComposed: ReadContent;
  /** Notes in the audit log who reads contents and downloads lists. */
  noteRead: NoteRead;
  /** Reads SAML documents in another process. */
  saml: SamlReader;
  /** Which mail by POST /transactional/send is a test. */
  testOrigin: TestOrigin;
  authenticator: Authenticator;
  tokens: AccessTokens;
  limiter: RateLimiter;
  timeBudget: TimeBudget;
  streams: OpenStreams;
  /** Setting up webhooks and testing them. */
  webhook: TestSendDeps;
  /** Opens and clicks on their way to the record. */
  engagement: EngagementRecorder;
  /** Customers' own names for links and pixels, and the certificates that they are served with. */
  trackingHosts: ServedHosts;
  /** The stores and the certificate of this process, for operators. */
  ownHealth: OwnHealth;
  readClient: ReadClient;
  metrics: ApiMetrics;
  log: Logger;
  /** Aborted when the listeners close: streams end, so that their clients open them elsewhere. */
  stopping: AbortSignal;
  /** Where tests kill the process. */
  fail: Fail;
}

/** The same for what is about the service, or about nobody's tenant yet: its database is the one that there is once. */
export function atHome(deps: ApiDeps): ApiDeps {
  return { ...deps, db: deps.home };
}
