// Makes messages out of an audience: contacts in the order of their ids, in batches; each batch is stored as recipients
// with message ids in one transaction, submitted, and its answers recorded.
// Guarantee: a contact has one row per campaign and one message id, and a sender accepts an id once; so whatever dies,
// and whoever resumes from the rows, each contact gets one message. An id is replaced only when it has become too
// old to be submitted and is not stored: nothing of it can be in flight any more.
// Dies anywhere in here: docs/crashes-audience.md, rows campaign.*.

import { monotonicMs } from '../base/clock.ts';
import type { Fail } from '../base/failpoint.ts';
import { newUuid, uuidTimeMs } from '../base/ids.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { submitBatch } from '../message/submit-message.ts';
import type { CampaignClaim } from './campaign.ts';
import type { MakeMessage } from './campaign-message.ts';
import {
  recordAnswers,
  insertRecipients,
  keepCampaign,
  advanceCursor,
  pauseForRefusal,
  renewMessageIds,
  selectAudience,
  selectOpenRecipients,
  type Recipient,
} from './expand-store.ts';
import { readAnswers, type ReadAnswers } from './read-answers.ts';

/** What expanding needs. */
export interface ExpandDeps {
  db: Database;
  sender: Pick<SenderClient, 'sendBatch'>;
  leaseMs: number;
  fail: Fail;
  /** Publishes progress to live views. */
  publish: (claim: CampaignClaim) => void;
}

/** How an expansion ended; `stopped`: paused, cancelled, or claimed by another scheduler. */
export type Expanded = 'finished' | 'time_up' | 'sender_unavailable' | 'stopped';

const BATCH = 125; // one batch of a sender's bulk stream
const IN_FLIGHT = 2; // batches, so that a sender always has the next one
const RENEW_AFTER_MS = 20 * 3_600_000; // the senders accept ids up to 24 h old; the rest is for unequal clocks

class ClaimLost extends Error {}

interface Expansion extends ExpandDeps {
  claim: CampaignClaim;
  make: MakeMessage;
  /** The cursors of the claim, advanced by what is committed: stored up to here, answered up to here. */
  markedTo: string | null;
  confirmedTo: string | null;
}

/** Expands until the audience is used up, time is up, or something stops it. Throws when the database is unavailable. */
export async function expandCampaign(
  deps: ExpandDeps,
  claim: CampaignClaim,
  make: MakeMessage,
  slice: { sliceMs: number; signal: AbortSignal },
): Promise<Expanded> {
  const until = monotonicMs() + slice.sliceMs;
  const { markedTo, confirmedTo } = claim;
  const expansion: Expansion = { ...deps, claim, make, markedTo, confirmedTo };
  const isOver = () => slice.signal.aborted || monotonicMs() > until;
  try {
    return (await finishOpen(expansion, isOver)) ?? (await resume(expansion, isOver));
  } catch (error) {
    if (error instanceof ClaimLost) return 'stopped';
    throw error;
  }
}

// First what an earlier scheduler, or this one before a pause, left without an answer; then what is to be retried.
async function finishOpen(expansion: Expansion, isOver: () => boolean): Promise<Expanded | null> {
  const { db, claim } = expansion;
  for (;;) {
    if (isOver()) return 'time_up';
    const { confirmedTo: after, markedTo } = expansion;
    const stored =
      markedTo === null ? [] : await selectOpenRecipients(db.pool, claim, { after, upTo: markedTo }, BATCH);
    const recipients =
      stored.length > 0 ? stored : await selectOpenRecipients(db.pool, claim, 'retry', BATCH);
    if (recipients.length === 0) return null;
    if (!(await keepCampaign(db.pool, claim, expansion.leaseMs))) return 'stopped';
    const stopped = await finishBatch(expansion, recipients, stored.length > 0);
    if (stopped) return stopped;
  }
}

async function finishBatch(
  expansion: Expansion,
  recipients: Recipient[],
  inOrder: boolean,
): Promise<Expanded | null> {
  const { db, claim } = expansion;
  const stored = recipients.filter((recipient) => recipient.stored).map((recipient) => recipient.contactId);
  const gone = recipients
    .filter((recipient) => !recipient.stored && recipient.contact === null)
    .map((recipient) => recipient.contactId);
  const waiting = recipients.filter((recipient) => !recipient.stored && recipient.contact !== null);
  const oldest = newUuidTime() - RENEW_AFTER_MS;
  const renewed = waiting.filter((recipient) => uuidTimeMs(recipient.messageId) < oldest);
  for (const recipient of renewed) recipient.messageId = newUuid();
  if (renewed.length > 0) await renewMessageIds(db.pool, claim, renewed);
  const read = waiting.length === 0 ? null : await submit(expansion, waiting);
  const blocked = read !== null && (read.stop !== null || read.again);
  const confirmedTo = !inOrder ? null : blocked ? read.confirmedTo : recipients.at(-1)!.contactId;
  return recordBatch(expansion, read, { stored, gone, confirmedTo });
}

// While the senders accept one batch, the next is stored and submitted; answers are recorded in order.
async function resume(expansion: Expansion, isOver: () => boolean): Promise<Expanded> {
  const inFlight: Promise<ReadAnswers>[] = [];
  try {
    for (let end: 'finished' | 'time_up' | null = null; ;) {
      while (end === null && inFlight.length < IN_FLIGHT) {
        if (isOver()) end = 'time_up';
        else if (!(await submitNext(expansion, inFlight))) end = 'finished';
      }
      const first = inFlight.shift();
      if (!first) return end ?? 'finished';
      const read = await first;
      const { confirmedTo } = read;
      const stopped = await recordBatch(expansion, read, { stored: [], gone: [], confirmedTo });
      if (stopped) return stopped;
    }
  } finally {
    // Answers that nobody will record: the rows say that they are open, and the next scheduler finds out.
    await Promise.allSettled(inFlight);
  }
}

async function submitNext(expansion: Expansion, inFlight: Promise<ReadAnswers>[]): Promise<boolean> {
  const recipients = await storeNext(expansion);
  if (recipients.length === 0) return false;
  const answer = submit(expansion, recipients);
  answer.catch(() => {}); // awaited in order
  inFlight.push(answer);
  return true;
}

async function storeNext(expansion: Expansion): Promise<Recipient[]> {
  const { db, claim } = expansion;
  const recipients = await inTransaction(db.pool, async (client) => {
    const contacts = await selectAudience(client, claim, expansion.markedTo, BATCH);
    const recipients = contacts.map(({ contactId, ...contact }) => ({
      contactId,
      messageId: newUuid(),
      contact,
      stored: false,
    }));
    const last = recipients.at(-1);
    if (!last) return [];
    await insertRecipients(client, claim, recipients);
    if (!(await advanceCursor(client, claim, last.contactId, expansion.leaseMs))) throw new ClaimLost();
    expansion.markedTo = last.contactId;
    return recipients;
  });
  if (recipients.length > 0) expansion.fail('campaign.after-mark');
  return recipients;
}

async function submit(expansion: Expansion, recipients: Recipient[]): Promise<ReadAnswers> {
  const { claim, make, sender } = expansion;
  const made = recipients.map((recipient) => ({
    recipient,
    input: recipient.contact && make(recipient.contact),
  }));
  const sendable = made.flatMap(({ recipient, input }) => (input ? [{ recipient, input }] : []));
  const unusable = made.filter(({ input }) => !input).map(({ recipient }) => recipient.contactId);
  const failed = unusable.map((contactId) => ({ contactId, error: 'email is not an address' }));
  const all = recipients.at(-1)!.contactId;
  if (sendable.length === 0) return { accepted: [], failed, confirmedTo: all, stop: null, again: false };
  const answer = await submitBatch(sender, {
    onlyDomain: null,
    tenantId: claim.tenantId,
    messages: sendable.map(({ recipient, input }) => ({
      id: recipient.messageId,
      input,
      campaign: { campaignId: claim.id, contactId: recipient.contactId },
    })),
  });
  const read = readAnswers(
    sendable.map(({ recipient }) => recipient),
    answer,
  );
  const confirmedTo = read.stop || read.again ? read.confirmedTo : all;
  return { ...read, failed: [...read.failed, ...failed], confirmedTo };
}

async function recordBatch(
  expansion: Expansion,
  read: ReadAnswers | null,
  known: { stored: string[]; gone: string[]; confirmedTo: string | null },
): Promise<Expanded | null> {
  const { db, claim } = expansion;
  expansion.fail('campaign.after-submit');
  await inTransaction(db.pool, async (client) => {
    const answers = {
      // Only who is retried has an error to be cleared; the others are before the cursor.
      recovered: known.confirmedTo === null ? [...known.stored, ...(read?.accepted ?? [])] : [],
      failed: read?.failed ?? [],
      gone: known.gone,
      confirmedTo: known.confirmedTo,
    };
    if (!(await recordAnswers(client, claim, answers, expansion.leaseMs))) throw new ClaimLost();
  });
  expansion.fail('campaign.after-conclude');
  expansion.confirmedTo = known.confirmedTo ?? expansion.confirmedTo;
  expansion.publish(claim);
  if (read?.stop) {
    await pauseForRefusal(db.pool, claim, read.stop.reason, read.stop.message);
    expansion.publish(claim);
    return 'stopped';
  }
  return read?.again ? 'sender_unavailable' : null;
}

// The age of an id is measured by the clock that made it.
function newUuidTime(): number {
  return uuidTimeMs(newUuid());
}
