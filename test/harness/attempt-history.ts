// A random history of attempts, reports and complaints, from a seed, by the statements that services run: for tests and the bench
// of what is counted while it happens.

import type pg from 'pg';

import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import type { Report } from '../../core/mail/report/dsn.ts';
import { acceptMessages } from '../../core/message/accept-store.ts';
import type { Claim } from '../../core/message/claim.ts';
import { recordOutcomes } from '../../core/message/delivery-store.ts';
import type { Origin } from '../../core/message/origin.ts';
import type { AttemptRecord, Outcome } from '../../core/message/outcome.ts';
import { addReportEvent, hasEvent, lockReportedMessage } from '../../core/message/report-store.ts';
import { keepPlain } from '../../core/message/stored-content.ts';
import { acceptBounce } from '../../inbound/accept-bounce.ts';
import { seeded } from '../../local/simulate/behaviour.ts';

/** Who sends, and what of. */
interface Sending {
  tenantId: string;
  domainId: string;
  /** Without one it is mail over the API. */
  origin?: Origin;
  rcptTo?: string;
}

/** How long a history is, and of what. */
export interface HistoryPlan {
  seed: number;
  accounts: { tenantId: string; domainId: string }[];
  messages: number;
  /** Messages of one statement. */
  batch: number;
  /** After each batch there is a report about one in so many of its messages, by a transaction of its own. */
  reportEvery: number;
  /** Statements at once. */
  writers: number;
}

interface Sent {
  claim: Claim;
  isOpen: boolean;
}

const DAY_MS = 86_400_000;
const ROUTES = ['direct', 'relay', 'other'];

// By turns. Mail of the service and tests are in no rate; of mail to the simulator that depends on the domain.
const KINDS: Partial<Sending>[] = [
  {},
  { rcptTo: 'delivered+7@Simulator.test' },
  {},
  { origin: 'submission' },
  {},
  {},
  { origin: 'reset' },
  {},
  {},
  { origin: 'test' },
];

/** Lives through it; attempts are on today and the two days before. Returns how many there were. */
export async function liveThrough(pool: pg.Pool, plan: HistoryPlan): Promise<number> {
  const random = seeded(plan.seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const end = Date.now();
  let attempts = 0;
  let left = plan.messages;
  const live = async () => {
    while (left > 0) {
      const size = Math.min(plan.batch, left);
      left -= size;
      const of = Array.from({ length: size }, (_, n) => ({
        ...pick(plan.accounts),
        ...KINDS[n % KINDS.length],
      }));
      const sent: Sent[] = (await acceptClaims(pool, of)).map((claim) => ({ claim, isOpen: true }));
      for (let round = 0; round < 4; round++) {
        if (random() < 0.4) await report(pool, pick(sent).claim, random() < 0.7);
        const open = sent.filter(({ isOpen }) => isOpen);
        if (open.length === 0) break;
        if (round > 0) await claimAgain(pool, open);
        const at = new Date(end - Math.floor(random() * 2.5 * DAY_MS));
        const outcomes = open.map((one) => {
          const outcome = outcomeOf(one.claim, { at, esp: pick(ROUTES), chance: random() });
          one.isOpen = outcome.kind === 'deferred' || outcome.kind === 'postponed';
          if ('attempt' in outcome && outcome.attempt !== null) attempts += 1;
          return outcome;
        });
        await recordOutcomes(pool, outcomes);
        for (let n = 0; n < size / plan.reportEvery; n++)
          await report(pool, pick(sent).claim, random() < 0.7);
      }
    }
  };
  await Promise.all(Array.from({ length: plan.writers }, live));
  return attempts;
}

function outcomeOf(claim: Claim, { at, esp, chance }: { at: Date; esp: string; chance: number }): Outcome {
  const attempt = { ...ATTEMPT, at, esp };
  if (chance < 0.6) return { kind: 'delivered', claim, attempt };
  if (chance < 0.85) return { kind: 'deferred', claim, attempt, reason: 'remote_4xx', retryInMs: 0 };
  if (chance < 0.92) return { kind: 'bounced', claim, attempt, hard: true, suppresses: null };
  if (chance < 0.94) return { kind: 'expired', claim, attempt };
  if (chance < 0.95) return { kind: 'expired', claim, attempt: null };
  if (chance < 0.96) return { kind: 'dropped', claim, reason: 'suppressed', detail: null };
  const because = { rule: 'sender_stops' as const, inputs: {} };
  return { kind: 'postponed', claim, reason: null, retryInMs: 0, because };
}

/** A message of each, as a sender has it after it accepted it. */
export async function acceptClaims(pool: pg.Pool, of: readonly Sending[]): Promise<Claim[]> {
  const claims = of.map(claimOf);
  const workerId = newUuid();
  const rows = claims.map((claim) => ({
    id: claim.id,
    tenantId: claim.tenantId,
    domainId: claim.domainId,
    stream: claim.stream,
    origin: claim.origin,
    state: 'sending' as const,
    reason: null,
    deferReason: null,
    deferredUntil: null,
    nextAttemptAt: claim.createdAt,
    admittedDay: claim.admittedDay,
    esp: null,
    headerFrom: claim.headerFrom,
    rcptTo: claim.rcptTo,
    subject: 'Hello',
    templateId: null,
    templateVersion: null,
    groupId: null,
    addressField: null,
    campaignId: null,
    contactId: null,
    tags: [],
    claimVersion: claim.claimVersion,
    claimedBy: workerId,
    expiresAt: claim.expiresAt,
    finishedAt: null,
    dayTier: null,
    dayCap: null,
    dayUsed: null,
    dayReserved: null,
    decisions: null,
    content: keepPlain(Buffer.from('x')),
    confidential: false,
  }));
  await inTransaction(pool, (client) => acceptMessages(client, rows));
  return claims;
}

function claimOf({ tenantId, domainId, origin = 'api', rcptTo = 'ann@example.net' }: Sending): Claim {
  return {
    ...{ tenantId, domainId, origin, rcptTo },
    id: newUuid(),
    groupId: null,
    stream: 'transactional',
    claimVersion: 1,
    admittedDay: new Date().toISOString().slice(0, 10),
    attempts: 0,
    headerFrom: 'Shop <shop@example.com>',
    esp: null,
    campaignId: null,
    templateVersion: null,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + DAY_MS),
    content: Buffer.from('x'),
    octets: 1,
  };
}

async function claimAgain(pool: pg.Pool, open: Sent[]): Promise<void> {
  await pool.query(
    `update messages set state = 'sending', claimed_by = $2, claim_version = claim_version + 1
     where id = any($1::uuid[])`,
    [open.map(({ claim }) => claim.id), newUuid()],
  );
  for (const { claim } of open) claim.claimVersion += 1;
}

/** A report about a message as inbound reads it: it bounced, or somebody complained. */
export async function report(
  pool: pg.Pool,
  { id, tenantId, rcptTo }: Pick<Claim, 'id' | 'tenantId' | 'rcptTo'>,
  bounced: boolean,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (bounced) {
      await acceptBounce(client, { id: newUuid(), tenantId, aboutMessageId: id }, dsnAbout(rcptTo));
      return;
    }
    const message = (await lockReportedMessage(client, tenantId, id))!;
    if (await hasEvent(client, message, 'complaint', {})) return;
    await addReportEvent(client, message, { type: 'complaint', data: {} });
  });
}

/** What inbound reads in a DSN that says that a mailbox is full. */
export function dsnAbout(address: string): Report {
  const recipient = {
    address,
    originalAddress: '',
    outcome: 'failed' as const,
    class: 'mailbox_full' as const,
    kind: 'soft' as const,
    infrastructure: false,
    suppresses: false,
    smtpCode: 552,
    enhancedCode: '5.2.2',
    diagnostic: '552 5.2.2 Mailbox full',
  };
  return { kind: 'dsn', standard: true, recipients: [recipient] };
}

/** An attempt that a mail server answered. */
export const ATTEMPT: Omit<AttemptRecord, 'at' | 'esp'> = {
  durationMs: 1,
  mx: 'mx.example.net',
  provider: 'gmail',
  source: null,
  sourceName: null,
  tls: null,
  tlsVerified: null,
  tlsPolicy: null,
  certificate: null,
  command: 'DOT',
  smtpCode: 250,
  enhancedCode: null,
  reply: 'ok',
  bounceClass: null,
};
