// A sending domain in the contract's words.

import { z } from 'zod';

import { idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { SPAM_POLICIES } from '../../../core/domain/domain-input.ts';
import {
  TRACKING_HOST_STATUSES,
  type DomainRecord,
  type DomainView,
  type TrackingHostStatus,
} from '../../../core/domain/domain.ts';
import { BRAKE_STATES } from '../../../core/message/brake-state.ts';
import { capOfTier } from '../../../core/warmup/tiers.ts';

const time = z.iso.datetime();
const seen = z.enum(['pending', 'found', 'missing', 'wrong']);

const recordView = z
  .object({
    purpose: z.enum(['dkim', 'return_path', 'spf', 'dmarc', 'mx', 'tracking', 'tls_rpt']),
    type: z.enum(['TXT', 'MX', 'CNAME']),
    name: z
      .string()
      .meta({ description: 'the full name; leave out the domain if your DNS provider appends it' }),
    value: z.string(),
    priority: z.int().nullable().meta({ description: 'for an MX record' }),
    required: z.boolean().meta({ description: 'required for verification' }),
    status: seen,
    problem: z.string().nullable().meta({ description: 'the problem and the next step' }),
  })
  .meta({ id: 'DnsRecord', description: 'A record to publish, and the result of the last DNS check' });

/** A sending domain. */
export const domainView = z
  .object({
    id: idView('dom'),
    name: z.string(),
    status: z.enum(['pending', 'verified', 'failed']),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'why verification failed, when it is not because of a single record' }),
    dkim: z
      .object({ selector: z.string(), algorithm: z.enum(['rsa-sha256', 'ed25519-sha256']), status: seen })
      .nullable(),
    records: z.array(recordView),
    warmup: z.object({
      tier: z.int(),
      cap: z.int(),
      used: z.int(),
      day: z.iso.date().meta({ description: 'the UTC date of `used`' }),
      state: z.enum(['active', 'held', 'paused']),
      paused_reason: z.string().nullable(),
    }),
    brake: z
      .object({
        state: z.enum(BRAKE_STATES).meta({
          description:
            'bulk: campaign mail waits; all: transactional mail too, but for one message a minute. Ends at the next 00:00 UTC',
        }),
        since: time.nullable(),
        reason: z.string().nullable().meta({ description: 'what happened, what waits and until when' }),
        numbers: z
          .object({
            measure: z.enum(['bounces', 'blocks', 'complaints']),
            transactional_only: z.boolean(),
            attempted: z.int(),
            delivered: z.int(),
            bounced: z.int(),
            unknown: z.int().meta({ description: 'of the bounces: the recipient does not exist' }),
            blocked: z.int().meta({ description: 'refused by policy or reputation' }),
            complained: z.int(),
          })
          .nullable()
          .meta({ description: 'the outcomes of the day at the moment of the decision' }),
      })
      .meta({ description: 'The same-day brake: docs/deliverability.md' }),
    tracking_host: z
      .object({
        name: z.string(),
        status: z.enum(Object.keys(TRACKING_HOST_STATUSES) as TrackingHostStatus[]).meta({
          description: Object.entries(TRACKING_HOST_STATUSES)
            .map(([status, meaning]) => `${status}: ${meaning}`)
            .join('. '),
        }),
        problem: z
          .string()
          .nullable()
          .meta({ description: 'what keeps it from being live, or soon will, and the next step' }),
        certificate_expires_at: time.nullable(),
      })
      .meta({ description: 'Your own name for links and pixel: docs/deliverability.md' }),
    brake_enabled: z.boolean(),
    sender_rules_enabled: z.boolean().meta({
      description: 'whether campaign mail above 5,000 a day waits while the domain has no DMARC record',
    }),
    pool: z.string().nullable().meta({
      description: 'the pool of addresses that its mail leaves from; null for the one of the service',
    }),
    inbound_enabled: z.boolean(),
    spam_policy: z.enum(SPAM_POLICIES).meta({
      description:
        'what happens to inbound spam and viruses: `keep` stores them like other mail, `mark` sets `junk`, `refuse` answers ' +
        '550 or 554 to a virus or to spam that the scanner rejects, and marks other spam (docs/inbound.md)',
    }),
    cfbl_enabled: z.boolean().meta({
      description: 'whether its mail names `complaint_address` in a `CFBL-Address` field (RFC 9477)',
    }),
    transactional_reserve: z
      .int()
      .meta({ description: 'percent of the daily cap reserved for transactional mail' }),
    complaint_address: z.string(),
    dmarc_address: z.string().meta({ description: 'where receivers send DMARC aggregate reports (`rua`)' }),
    tls_report_address: z.string().meta({ description: 'where senders report about TLS (RFC 8460)' }),
    created_at: time,
    verified_at: time.nullable(),
    checked_at: time.nullable().meta({ description: 'time of the last DNS check' }),
  })
  .meta({ id: 'Domain', description: 'A sending domain, its records and its warm-up' });

/** A domain as REST shows it. */
export function toDomainView(domain: DomainView): z.input<typeof domainView> {
  return {
    id: toId('dom', domain.id),
    name: domain.name,
    status: domain.status,
    problem: domain.problem,
    dkim: domain.dkim,
    records: domain.records.map(toRecordView),
    warmup: {
      tier: domain.tier,
      cap: domain.cap ?? capOfTier(domain.tier),
      used: domain.used,
      day: domain.day,
      state: domain.warmupState,
      paused_reason: domain.pausedReason,
    },
    brake: brakeOf(domain),
    tracking_host: trackingHostOf(domain),
    brake_enabled: domain.brakeEnabled,
    sender_rules_enabled: domain.senderRulesEnabled,
    pool: domain.pool,
    inbound_enabled: domain.inboundEnabled,
    spam_policy: domain.spamPolicy,
    cfbl_enabled: domain.cfblEnabled,
    transactional_reserve: domain.transactionalReserve,
    complaint_address: domain.complaintAddress,
    dmarc_address: domain.dmarcAddress,
    tls_report_address: domain.tlsReportAddress,
    created_at: domain.createdAt.toISOString(),
    verified_at: domain.verifiedAt?.toISOString() ?? null,
    checked_at: domain.checkedAt?.toISOString() ?? null,
  };
}

function brakeOf(domain: DomainView): z.input<typeof domainView>['brake'] {
  if (domain.brakeState === 'off') return { state: 'off', since: null, reason: null, numbers: null };
  const since = domain.brakeSince?.toISOString() ?? null;
  return { state: domain.brakeState, since, reason: domain.brakeReason, numbers: domain.brakeNumbers };
}

function trackingHostOf({ trackingHost }: DomainView): z.input<typeof domainView>['tracking_host'] {
  const { name, status, problem, certificateExpiresAt } = trackingHost;
  return { name, status, problem, certificate_expires_at: certificateExpiresAt?.toISOString() ?? null };
}

function toRecordView(record: DomainRecord): z.input<typeof recordView> {
  const { purpose, type, name, value, priority, required, status, problem } = record;
  return { purpose, type, name, value, priority, required, status, problem };
}
