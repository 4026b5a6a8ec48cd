// First step of accepting: everything that is read before anything is locked, in one pipelined round trip, and
// what follows from it for each message.

import type pg from 'pg';

import { problemSentence, type FieldProblem } from '../../core/base/errors.ts';
import {
  type DomainFacts,
  type ExistingMessage,
  readClock,
  readDomains,
  readExisting,
  readSuppressed,
  readTemplates,
  readTenants,
  type StoreClock,
  type SuppressedFor,
  type TenantFacts,
} from '../../core/message/accept-facts-store.ts';
import { readAnswers, tryLockKeys } from '../../core/message/accept-keys-store.ts';
import { isSystem } from '../../core/message/origin.ts';
import { pastProblem } from '../../core/message/scheduled-at.ts';
import type {
  MessageAnswer,
  NewMessage,
  NewRecipient,
  Refused,
  Submission,
  SubmissionAnswer,
  TemplateFacts,
} from '../../core/message/submission.ts';
import { stopsMail } from '../../core/suppression/is-suppressed.ts';
import type { SuppressionStream } from '../../core/suppression/suppression-store.ts';
import { TENANT_SUSPENDED } from '../../core/tenant/suspended.ts';
import { variableProblems } from '../../core/template/variables.ts';
import { answerAgain, refusal } from './answers.ts';

/** One recipient of one message on its way through the decisions. */
export interface Candidate {
  /** Index of its submission in the batch, and of its message there. */
  submission: number;
  index: number;
  tenantId: string;
  message: NewMessage;
  recipient: NewRecipient;
  domain: DomainFacts | null;
  template: TemplateFacts | null;
  /** `answered`: done. `dropped`: suppressed. `count`: counts in the quota, and needs an admission unless scheduled. */
  verdict: 'answered' | 'dropped' | 'count';
  /** The stream of the entry of a suppressed recipient; null unless `dropped`. */
  suppressedIn: SuppressionStream | null;
  /** A password reset to an address that is suppressed because mail to it bounced: that suppression ends. */
  unsuppresses: boolean;
  answer: MessageAnswer | null;
}

/** What one batch knows before it locks anything. */
export interface Facts {
  clock: StoreClock;
  submissions: Submission[];
  /** Answers that are settled already: replays and refusals of whole submissions. */
  settled: Map<number, SubmissionAnswer>;
  candidates: Candidate[];
  tenants: Map<string, TenantFacts>;
  /** Domain of SYSTEM_MAIL_FROM: part of its cap is reserved for resets and notices. */
  systemDomain: string | null;
}

/** Reads the facts and settles what they settle: replays, suspended tenants, unknown domains, pauses, suppressions. */
export async function readFacts(
  client: pg.ClientBase,
  submissions: Submission[],
  systemDomain: string | null = null,
): Promise<Facts> {
  const all = submissions.flatMap((submission) =>
    submission.messages.map((message) => ({ tenantId: submission.tenantId, message })),
  );
  const recipients = all.flatMap(({ tenantId, message }) =>
    message.recipients.map(({ id, recipientKey }) => ({ tenantId, id, email: recipientKey })),
  );
  const [clock, domains, suppressed, existing, templates, tenants, settled] = await Promise.all([
    readClock(client),
    readDomains(client, distinct(all.map((one) => ({ tenantId: one.tenantId, name: one.message.domain })))),
    readSuppressed(client, distinct(recipients.map(({ tenantId, email }) => ({ tenantId, email })))),
    readExisting(
      client,
      recipients.map((one) => one.id),
    ),
    readNeededTemplates(client, all),
    readTenants(client, [...new Set(submissions.map((submission) => submission.tenantId))]),
    settleKeys(client, submissions),
  ]);
  const domainOf = new Map(domains.map((domain) => [`${domain.tenantId} ${domain.name}`, domain]));
  const candidates = submissions.flatMap((submission, at) =>
    settled.has(at)
      ? []
      : submission.messages.flatMap((message, index) => {
          const { tenantId } = submission;
          const domain = domainOf.get(`${tenantId} ${message.domain}`) ?? null;
          const template = message.template ?? templates.get(`${tenantId} ${message.templateId}`) ?? null;
          const base = { submission: at, index, tenantId, message, domain, template };
          return message.recipients.map((recipient): Candidate => {
            const unjudged = { ...base, recipient };
            const known = {
              existing: existing.get(recipient.id),
              tenant: tenants.get(tenantId),
              suppressed,
              clock,
            };
            return { ...unjudged, ...judge(unjudged, known) };
          });
        }),
  );
  return { clock, submissions, settled, candidates, tenants, systemDomain };
}

type Judged = Pick<Candidate, 'verdict' | 'answer' | 'suppressedIn' | 'unsuppresses'>;
type Unjudged = Omit<Candidate, keyof Judged>;

// The order of the checks is the contract's: tenant, body, domain verified, domain paused, suppressed, then quota and gate.
function judge(
  { tenantId, message, recipient, domain, template }: Unjudged,
  known: {
    existing: ExistingMessage | undefined;
    tenant: TenantFacts | undefined;
    suppressed: Map<string, SuppressedFor>;
    clock: StoreClock;
  },
): Judged {
  const { existing, tenant, suppressed, clock } = known;
  const undropped = { suppressedIn: null, unsuppresses: false };
  const answered = (answer: MessageAnswer): Judged => ({ ...undropped, verdict: 'answered', answer });
  if (existing) return answered(answerAgain(existing, tenantId, domain));
  const problem =
    tenantProblem(message, tenant) ??
    templateProblem(message, template) ??
    domainProblem(message, domain) ??
    timeProblem(message, clock) ??
    senderProblem(message);
  if (problem) return answered(problem);
  if (message.scheduledAt && message.scheduledAt <= clock.now) message.scheduledAt = null;
  const counted: Judged = { ...undropped, verdict: 'count', answer: null };
  const entry = suppressed.get(`${tenantId} ${recipient.recipientKey}`);
  if (!entry || !stopsMail(entry.stream, message.offersUnsubscribe)) return counted;
  if (entry.reason === 'bounce' && message.origin === 'reset') return { ...counted, unsuppresses: true };
  return { ...counted, verdict: 'dropped', suppressedIn: entry.stream };
}

function tenantProblem(message: NewMessage, tenant: TenantFacts | undefined): Refused | null {
  if (!tenant?.isSuspended || isSystem(message.origin)) return null;
  return refusal('tenant_suspended', TENANT_SUSPENDED);
}

function domainProblem(message: NewMessage, domain: DomainFacts | null): Refused | null {
  if (!domain || domain.status !== 'verified') {
    const why = domain
      ? `it is not verified (${domain.status}). Publish its DNS records, then check DNS`
      : 'it is not one of your domains. Add it first';
    return refusal('domain_not_verified', `You cannot send from ${message.domain}: ${why}.`);
  }
  if (domain.warmupState !== 'paused' || isSystem(message.origin)) return null;
  const reason = domain.pausedReason ?? 'it was paused by an administrator';
  return refusal('domain_paused', `Sending from ${message.domain} is paused: ${reason}.`);
}

function senderProblem({ sender }: NewMessage): Refused | null {
  if (sender === null) return null;
  const message = 'header Sender must be at a verified domain of yours';
  return invalid([{ path: 'headers', message }]);
}

function timeProblem({ scheduledAt }: NewMessage, { now }: StoreClock): Refused | null {
  const problem = scheduledAt && pastProblem(scheduledAt, now);
  return problem && invalid([problem]);
}

function templateProblem(message: NewMessage, template: TemplateFacts | null): Refused | null {
  if (message.templateId === null) return null;
  if (!template) return invalid([{ path: 'template_id', message: 'does not exist' }]);
  const details = variableProblems(template.variables, message.variables);
  return details.length > 0 ? invalid(details) : null;
}

function invalid(details: FieldProblem[]): Refused {
  return { ...refusal('validation_failed', problemSentence(details)), details };
}

async function readNeededTemplates(
  client: pg.ClientBase,
  all: { tenantId: string; message: NewMessage }[],
): Promise<Map<string, TemplateFacts>> {
  const wanted = all.flatMap(({ tenantId, message }) =>
    message.templateId === null || message.template ? [] : [{ tenantId, templateId: message.templateId }],
  );
  return wanted.length === 0 ? new Map() : readTemplates(client, distinct(wanted));
}

// A key is locked until COMMIT. Two requests with one key in the same batch share a session, for which the lock is
// no obstacle: here the second is refused because the first is running.
async function settleKeys(
  client: pg.ClientBase,
  submissions: Submission[],
): Promise<Map<number, SubmissionAnswer>> {
  const settled = new Map<number, SubmissionAnswer>();
  const keyed = submissions.flatMap(({ tenantId, idempotency }, at) =>
    idempotency ? [{ at, tenantId, key: idempotency.key, bodyHash: idempotency.bodyHash }] : [],
  );
  if (keyed.length === 0) return settled;
  const [locked, answers] = await Promise.all([tryLockKeys(client, keyed), readAnswers(client, keyed)]);
  const seen = new Set<string>();
  for (const [i, one] of keyed.entries()) {
    const name = `${one.tenantId} ${one.key}`;
    const first = answers.get(name);
    if (!locked[i] || seen.has(name) || first?.finished === false) {
      settled.set(
        one.at,
        refusal('idempotency_in_progress', 'The first request with this key is still running.'),
      );
    } else if (first && !first.bodyHash.equals(one.bodyHash)) {
      settled.set(one.at, refusal('idempotency_conflict', 'This key was used with another request body.'));
    } else if (first) {
      settled.set(one.at, { ...(first.answer as SubmissionAnswer & { ok: true }), replayed: true });
    }
    seen.add(name);
  }
  return settled;
}

function distinct<T extends object>(rows: T[]): T[] {
  return [...new Map(rows.map((row) => [Object.values(row).join(' '), row])).values()];
}
