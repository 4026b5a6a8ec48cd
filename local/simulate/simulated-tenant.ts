// The customer of a simulation: a tenant, a verified domain, its messages and its complaints.

import { v7 } from 'uuid';

import { newUuid } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { NewMessage } from '../../core/message/submission.ts';

/** The tenant and its domain. */
export interface SimulatedAccount {
  tenantId: string;
  domainId: string;
  domain: string;
}

/** Makes them: a new verified domain begins at tier 0. */
export async function makeTenant(db: Database): Promise<SimulatedAccount> {
  const account = { tenantId: newUuid(), domainId: newUuid(), domain: 'simulated.test' };
  await db.pool.query("insert into tenants (id, name, plan) values ($1, 'Simulated', 'scale')", [
    account.tenantId,
  ]);
  await db.pool.query(
    "insert into domains (id, tenant_id, name, status, verified_at) values ($1, $2, $3, 'verified', now())",
    [account.domainId, account.tenantId, account.domain],
  );
  return account;
}

/** One message to somebody new at a provider. Its id carries the simulated time, and `place` keeps equal times in order. */
export function newMessage(
  account: SimulatedAccount,
  provider: string,
  bulk: boolean,
  at: Date,
  place: number,
): NewMessage {
  const id = v7({ msecs: at.getTime(), seq: place });
  const rcptTo = `r${id.slice(-12)}@${provider}.test`;
  const headerFrom = `Shop <shop@${account.domain}>`;
  const content = OutgoingMessage.fromPartial({
    from: headerFrom,
    to: [rcptTo],
    subject: 'Hello',
    text: 'Hello',
  });
  return {
    id,
    domain: account.domain,
    headerFrom,
    sender: null,
    recipients: [{ id, field: 'to', rcptTo, recipientKey: rcptTo }],
    subject: 'Hello',
    stream: bulk ? 'bulk' : 'transactional',
    offersUnsubscribe: bulk,
    origin: bulk ? 'campaign' : 'api',
    templateId: null,
    variables: {},
    scheduledAt: null,
    esp: null,
    tags: [],
    campaignId: null,
    contactId: null,
    content: Buffer.from(OutgoingMessage.encode(content).finish()),
    confidential: false,
  };
}

/** The provider whose customer a recipient is. */
export function providerOf({ rcptTo }: Pick<Claim, 'rcptTo'>): string {
  return rcptTo.slice(rcptTo.indexOf('@') + 1, -'.test'.length);
}

/** Complaints that came in at a time, as inbound writes them. Their ids carry that time, not today's. */
export async function complain(db: Database, claims: Claim[], at: Date): Promise<void> {
  if (claims.length === 0) return;
  await db.pool.query(
    `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
     select (left(uuid_floor($4)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, q.tenant_id,
       'complaint', q.id, q.domain_id, 'r', $4, '{"feedback_type": "abuse"}'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as q(tenant_id, id, domain_id)`,
    [claims.map((one) => one.tenantId), claims.map((one) => one.id), claims.map((one) => one.domainId), at],
  );
}
