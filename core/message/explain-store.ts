// What is read to explain a message: its row with the decisions that it keeps, and its attempts.
// SQL by hand: two tables read by the id that they share, each in one partition, as of one moment.

import type { Queryable } from '../db/pool.ts';
import type { messageAttempts, messages } from '../db/schema/message.ts';
import { HELD_BY } from './message-columns.ts';
import type { HeldReason } from './states.ts';

/** One attempt, as far as it explains anything. */
export type ExplainedAttempt = Pick<
  typeof messageAttempts.$inferSelect,
  | 'attempt'
  | 'at'
  | 'esp'
  | 'mx'
  | 'provider'
  | 'tlsPolicy'
  | 'command'
  | 'smtpCode'
  | 'enhancedCode'
  | 'reply'
  | 'outcome'
  | 'bounceClass'
  | 'retryAt'
>;

/** A message as it is explained. */
export interface ExplainedMessage extends Pick<
  typeof messages.$inferSelect,
  | 'state'
  | 'stream'
  | 'esp'
  | 'reason'
  | 'deferReason'
  | 'createdAt'
  | 'dayTier'
  | 'dayCap'
  | 'dayUsed'
  | 'dayReserved'
  | 'decisions'
> {
  /** When something is done about it next, while it waits. */
  dueAt: Date | null;
  /** The reason that holds it, which replaces its own; null: nothing holds it. */
  heldBy: HeldReason | null;
  /** Of its domain; null when that was deleted. */
  domainStatus: string | null;
  /** Since when its tenant is suspended; null: it is active. */
  suspendedAt: Date | null;
  /** When it was read, by the database's clock. */
  readAt: Date;
  attempts: ExplainedAttempt[];
}

const ATTEMPT = `jsonb_build_object('attempt', a.attempt, 'at', a.at, 'esp', a.esp, 'mx', a.mx, 'provider', a.provider,
  'tlsPolicy', a.tls_policy, 'command', a.command, 'smtpCode', a.smtp_code, 'enhancedCode', a.enhanced_code,
  'reply', a.reply, 'outcome', a.outcome, 'bounceClass', a.bounce_class, 'retryAt', a.retry_at)`;

type Row = Omit<ExplainedMessage, 'attempts'> & {
  attempts: (Omit<ExplainedAttempt, 'at' | 'retryAt'> & { at: string; retryAt: string | null })[];
};

/** A message of a tenant, or null. One statement, so that row and attempts are of one moment. */
export async function readExplained(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ExplainedMessage | null> {
  const { rows } = await db.query<Row>({
    name: 'message.explained',
    text: `select m.state, m.stream, m.esp, m.reason, m.defer_reason as "deferReason", m.created_at as "createdAt", m.day_tier as "dayTier", m.day_cap as "dayCap",
             m.day_used as "dayUsed", m.day_reserved as "dayReserved", m.decisions, now()::timestamptz(3) as "readAt",
             ${HELD_BY} as "heldBy",
             (select d.status from domains d where d.id = m.domain_id and d.tenant_id = m.tenant_id) as "domainStatus",
             (select s.suspended_at from tenants s where s.id = m.tenant_id) as "suspendedAt",
             case when m.state in ('queued', 'deferred') then coalesce(m.deferred_until, m.next_attempt_at) end as "dueAt",
             coalesce((select jsonb_agg(${ATTEMPT} order by a.attempt) from message_attempts a
               where a.tenant_id = $1 and a.message_id = $2), '[]') as attempts
           from messages m where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  const [row] = rows;
  if (!row) return null;
  const attempts = row.attempts.map(({ at, retryAt, ...rest }) => ({
    ...rest,
    at: new Date(at),
    retryAt: retryAt === null ? null : new Date(retryAt),
  }));
  return { ...row, attempts };
}

/** Whose message it is, or null. For the command line alone: who runs the service asks for an id without its tenant. */
export async function findTenantOf(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ tenantId: string }>({
    name: 'message.tenant-of',
    text: 'select tenant_id as "tenantId" from messages where id = $1',
    values: [id],
  });
  return rows[0]?.tenantId ?? null;
}
