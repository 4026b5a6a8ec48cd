// Last step of accepting: everything that was decided, written in one pipelined round trip before COMMIT (a second one for a
// message that comes long after its id was made).

import type pg from 'pg';

import { service } from '../../core/audit/actor.ts';
import { insertAudit } from '../../core/audit/audit-store.ts';
import { countLateMessages } from '../../core/analytics/roll-up.ts';
import { AppError } from '../../core/base/errors.ts';
import { insertAnswers } from '../../core/message/accept-keys-store.ts';
import { acceptMessages } from '../../core/message/accept-store.ts';
import { addUsage } from '../../core/message/accept-usage-store.ts';
import { insertUnkept } from '../../core/message/content-store.ts';
import { insertEvents } from '../../core/message/event-store.ts';
import { noteLateMessages } from '../../core/message/search/segments.ts';
import type { SubmissionAnswer } from '../../core/message/submission.ts';
import { removeSuppressions } from '../../core/suppression/suppression-store.ts';
import { MONTHLY_CAP, type Plan } from '../../core/tenant/plan.ts';
import { addEspUse } from '../../core/warmup/esp-cap-store.ts';
import { addAdmissions } from '../../core/warmup/warmup-store.ts';
import type { Decided } from './decided.ts';
import type { Candidate, Facts } from './facts.ts';

/** Writes the batch. Throws when the cap's condition refuses what was decided under its lock: a bug, so no COMMIT. */
export async function writeDecided(client: pg.ClientBase, facts: Facts, decided: Decided): Promise<void> {
  const { day, month } = facts.clock;
  const work: Promise<unknown>[] = [];
  if (decided.admissions.size > 0) work.push(admitAll(client, day, decided));
  if (decided.esp) work.push(addEspUse(client, day, decided.esp.uses()));
  if (decided.rows.length > 0) work.push(acceptMessages(client, decided.rows));
  const unkept = decided.rows.filter(
    ({ content, confidential, tenantId }) =>
      content !== null && (confidential || facts.tenants.get(tenantId)?.keepContent === false),
  );
  if (unkept.length > 0) work.push(insertUnkept(client, unkept));
  if (decided.events.length > 0) work.push(insertEvents(client, decided.events));
  const unsuppressed = facts.candidates.filter(({ unsuppresses }) => unsuppresses);
  if (unsuppressed.length > 0) work.push(unsuppress(client, unsuppressed));
  const answers = answersToKeep(facts, decided.answers);
  if (answers.length > 0) work.push(keepAnswers(client, answers));
  if (decided.usage.size > 0) work.push(addUsages(client, month, facts, decided)); // last
  await Promise.all(work);
  const late = await noteLateMessages(client, decided.rows, facts.clock.now);
  if (late.length > 0) await countLateMessages(client, late);
}

/** Others used meanwhile what was left of a tenant's month: the batch is decided again. */
export class QuotaMoved extends AppError {
  constructor() {
    super('unavailable', 'The last of this month’s quota is being used by others right now. Try again.', {
      retryAfterSeconds: 1,
    });
  }
}

// A tenant's month is one row for all its mail, so it is locked for this statement and COMMIT only, not for the decisions and
// inserts before it: 8 connections that store 500 messages of one tenant at a time come to 79,800/s so, and to 48,900/s with
// the row locked first (`npm run bench -- --only one-tenant`, two busy cores). What was decided on a count that has grown
// since holds if the sum still fits; else nothing of the batch is stored.
async function addUsages(
  client: pg.ClientBase,
  month: string,
  { tenants }: Facts,
  { usage }: Decided,
): Promise<void> {
  const added = [...usage].map(([tenantId, count]) => ({ tenantId, count }));
  for (const [tenantId, used] of await addUsage(client, month, added)) {
    if (used > MONTHLY_CAP[tenants.get(tenantId)!.plan as Plan]) throw new QuotaMoved();
  }
}

async function admitAll(client: pg.ClientBase, day: string, decided: Decided): Promise<void> {
  const admissions = [...decided.admissions].map(([domainId, added]) => ({
    domainId,
    ...added,
    fromReserved: 0,
  }));
  const rows = await addAdmissions(client, day, admissions);
  if (rows !== admissions.length)
    throw new Error(`the day's cap refused admissions that were counted under its lock`);
}

// Another request reserved one of the keys after we read them: nothing of this batch is stored, and its submissions are
// tried again in halves (core/base/batcher.ts), where that key is found in use.
async function keepAnswers(
  client: pg.ClientBase,
  answers: Parameters<typeof insertAnswers>[1],
): Promise<void> {
  const kept = await insertAnswers(client, answers);
  if (kept === answers.length) return;
  throw new AppError(
    'idempotency_in_progress',
    'The first request with this key is still running. Try again soon.',
  );
}

// The person asked for this mail, and the mailbox may work again. Should it bounce, the address is suppressed once more.
async function unsuppress(client: pg.ClientBase, candidates: Candidate[]): Promise<void> {
  for (const { tenantId, recipient } of candidates) {
    const email = recipient.recipientKey;
    if ((await removeSuppressions(client, tenantId, { reasons: ['bounce'], emails: [email] })) === 0)
      continue;
    const details = { reasons: ['bounce'], why: 'a password reset was asked for' };
    const action = 'suppression.removed';
    await insertAudit(client, service('sender'), { tenantId, action, subject: email, details });
  }
}

// Only what was accepted is kept: a refused request may be corrected and sent again under the same key.
function answersToKeep(facts: Facts, answers: SubmissionAnswer[]) {
  return facts.submissions.flatMap(({ tenantId, idempotency }, at) => {
    const answer = answers[at]!;
    if (!idempotency || facts.settled.has(at) || !answer.ok) return [];
    if (!answer.items.some((item) => item.ok)) return [];
    return [{ tenantId, key: idempotency.key, bodyHash: idempotency.bodyHash, answer }];
  });
}
