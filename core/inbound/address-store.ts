// Who an envelope recipient belongs to.
// SQL by hand: prepared by name, for every RCPT of every session.

import type pg from 'pg';

import { suspendedSql } from '../tenant/suspended.ts';
import type { SpamPolicy } from './scan.ts';

/** A domain that may receive mail. */
export interface InboundDomain {
  id: string;
  tenantId: string;
  name: string;
  /** Its tenant is. */
  suspended: boolean;
  inboundEnabled: boolean;
  spamPolicy: SpamPolicy;
}

/** The verified domain of this name, or null. No tenant is named: the name is what finds the tenant. */
export async function findDomain(pool: pg.Pool, name: string): Promise<InboundDomain | null> {
  const { rows } = await pool.query<InboundDomain>({
    name: 'inbound-domain',
    text: `select id, tenant_id as "tenantId", name, ${suspendedSql('domains.tenant_id')} as suspended, inbound_enabled as "inboundEnabled", spam_policy as "spamPolicy"
           from domains where name = $1 and status = 'verified'`,
    values: [name],
  });
  return rows[0] ?? null;
}

/**
 * The domain that reports about mail of this name go to: its verified owner, else who owned it last. Mail that went
 * out before a domain lost its records still bounces.
 */
export async function findReportDomain(pool: pg.Pool, name: string): Promise<InboundDomain | null> {
  const { rows } = await pool.query<InboundDomain>({
    name: 'inbound-report-domain',
    text: `select id, tenant_id as "tenantId", name, ${suspendedSql('domains.tenant_id')} as suspended, inbound_enabled as "inboundEnabled", spam_policy as "spamPolicy"
           from domains where name = $1 and (status = 'verified' or verified_at is not null)
           order by status = 'verified' desc, verified_at desc limit 1`,
    values: [name],
  });
  return rows[0] ?? null;
}

/** The domain of a sent message, as a return path of ours names it; null when there is no such message any more. */
export async function findMessageDomain(
  pool: pg.Pool,
  messageId: string,
): Promise<{ id: string; tenantId: string; name: string } | null> {
  const { rows } = await pool.query<{ id: string; tenantId: string; name: string }>({
    name: 'inbound-message-domain',
    text: `select d.id, d.tenant_id as "tenantId", d.name from messages m join domains d on d.id = m.domain_id
           where m.id = $1 and d.tenant_id = m.tenant_id`,
    values: [messageId],
  });
  return rows[0] ?? null;
}
