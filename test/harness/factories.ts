// Small makers of rows and requests, so that tests say only what matters to them.

import { newUuid } from '../../core/base/ids.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { untilLocked } from '../../core/db/brief-lock.ts';
import type { Database } from '../../core/db/pool.ts';
import { HOME } from '../../core/db/service-tables.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { makeDkimKeys } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { claimName } from '../../core/domain/domain-store.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import type { Context } from './context.ts';
import type { NewMessage, Submission } from '../../core/message/submission.ts';

/** A tenant with one verified domain. */
export interface Account {
  tenantId: string;
  domainId: string;
  domain: string;
}

/** Makes a tenant in the bucket of `db`, unless one is named, and a verified domain at a tier. */
export async function makeAccount(
  db: Database,
  options: { tenantId?: string; plan?: string; tier?: number; domain?: string; reserve?: number } = {},
): Promise<Account> {
  const tenantId = options.tenantId ?? newUuid();
  const domainId = newUuid();
  const domain = options.domain ?? `d${domainId.slice(-12)}.test`;
  // Again where Citus ends one of several that come at once.
  await untilLocked(() =>
    db.pool.query(
      `insert into tenants (id, name, plan, bucket)
       select $1, 'Test', $2, name from buckets where name in (current_schema(), '${HOME}')
       order by name = current_schema() desc limit 1 on conflict do nothing`, // a simulated clock has a schema of its own
      [tenantId, options.plan ?? 'scale'],
    ),
  );
  await db.pool.query(
    `insert into domains (id, tenant_id, name, status, tier, transactional_reserve, verified_at)
     values ($1, $2, $3, 'verified', $4, $5, now())`,
    [domainId, tenantId, domain, options.tier ?? 0, options.reserve ?? 0],
  );
  await claimName(db.pool, { id: domainId, tenantId, name: domain });
  return { tenantId, domainId, domain };
}

/** Sets a day of a domain's warm-up, whether or not a change of the domain has opened it; a UTC date, today unless named. */
export async function setDay(
  db: Database,
  account: Pick<Account, 'tenantId' | 'domainId'>,
  counts: { cap: number; used: number; reserved?: number; day?: Date | string },
): Promise<void> {
  await db.pool.query(
    `insert into warmup_days (tenant_id, domain_id, day, cap, used, reserved)
     values ($1, $2, coalesce($3::date, (now() at time zone 'UTC')::date), $4, $5, $6)
     on conflict (domain_id, day) do update set cap = excluded.cap, used = excluded.used, reserved = excluded.reserved`,
    [account.tenantId, account.domainId, counts.day ?? null, counts.cap, counts.used, counts.reserved ?? 0],
  );
}

/** Such an account whose domain has a DKIM key, so that its mail can be delivered. */
export async function makeSignedAccount(
  context: Pick<Context, 'config' | 'db'>,
  options: Parameters<typeof makeAccount>[1] = {},
): Promise<Account> {
  const account = await makeAccount(context.db, options);
  const [sealKey] = deriveKeys(context.config, 'secret-box');
  const keys = await makeDkimKeys({ tenantId: account.tenantId, ed25519: false, sealKey });
  await inTransaction(context.db.pool, (client) => insertKeys(client, account, 'active', keys));
  return account;
}

/** A message from the account's domain, ready to accept. */
export function makeMessage(
  account: Account,
  { rcptTo: given, ...more }: Partial<NewMessage> & { rcptTo?: string } = {},
): NewMessage {
  const id = more.id ?? newUuid();
  const rcptTo = given ?? `r${id.slice(-12)}@simulator.test`;
  const headerFrom = `Shop <shop@${account.domain}>`;
  const outgoing = OutgoingMessage.fromPartial({
    from: headerFrom,
    to: [rcptTo],
    subject: 'Hello',
    text: 'Hello there',
  });
  return {
    id,
    domain: account.domain,
    headerFrom,
    sender: null,
    recipients: [{ id, field: 'to', rcptTo, recipientKey: rcptTo.toLowerCase() }],
    subject: 'Hello',
    stream: 'transactional',
    offersUnsubscribe: more.stream === 'bulk',
    origin: 'api',
    templateId: null,
    variables: {},
    scheduledAt: null,
    esp: null,
    tags: [],
    campaignId: null,
    contactId: null,
    content: Buffer.from(OutgoingMessage.encode(outgoing).finish()),
    confidential: false,
    ...more,
  };
}

/** A submission of the given messages. */
export function makeSubmission(
  account: Account,
  messages: NewMessage[],
  key?: string,
  body = 'same',
): Submission {
  const bodyHash = Buffer.alloc(32, body);
  return { tenantId: account.tenantId, idempotency: key === undefined ? null : { key, bodyHash }, messages };
}

/** Ends what was admitted, as if it were delivered: undelivered mail would take admissions of the next day at midnight. */
export async function markDelivered(db: Database, { tenantId, domainId }: Account): Promise<void> {
  await db.pool.query(
    `update messages set state = 'delivered', next_attempt_at = null, finished_at = now()
     where tenant_id = $1 and domain_id = $2 and admitted_day is not null`,
    [tenantId, domainId],
  );
}
