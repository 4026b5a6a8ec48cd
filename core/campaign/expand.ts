// Makes messages out of an audience: contacts in the order of their ids, in batches; each batch is marked with message
// ids in one transaction, submitted, and its answers written down.
// Guarantee: a contact has one row per campaign and one message id, and a sender takes an id once; so whatever dies,
// and whoever goes on from the rows, each contact gets one message. An id is replaced only when it has become too
// old to be submitted and is not stored: nothing of it can be under way any more.
// Dies anywhere in here: docs/crashes.md, rows campaign.*.

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
  concludeTurns,
  insertRecipients,
  keepCampaign,
  moveMark,
  pauseForRefusal,
  renewMessageIds,
  selectAudience,
  selectOpenTurns,
  type Turn,
} from './expand-store.ts';
import { readAnswers, type ReadAnswers } from './read-answers.ts';

/** What expanding needs. */
export interface ExpandDeps {
  db: Database;
  sender: Pick<SenderClient, 'sendBatch'>;
  leaseMs: number;
  fail: Fail;
  /** Live views hear of progress. */
  tell: (claim: CampaignClaim) => void;
}

/** How an expansion ended: all had their turn; time is up; a sender is away; paused, cancelled or in other hands. */
export type Expanded = 'all' | 'more' | 'away' | 'stopped';

const BATCH = 125; // one batch of a sender's bulk lane
const IN_FLIGHT = 2; // batches on their way, so that a sender always has the next one
const RENEW_AFTER_MS = 20 * 3_600_000; // the senders take ids up to 24 h old; the rest is for unequal clocks

class ClaimLost extends Error {}

interface Expansion extends ExpandDeps {
  claim: CampaignClaim;
  make: MakeMessage;
  /** Where the claim stands; moved by what is committed. */
  markedTo: string | null;
  confirmedTo: string | null;
}

/** Expands until all had their turn, time is up, or something stops it. Throws when the database is away. */
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
    return (await finishOpen(expansion, isOver)) ?? (await goOn(expansion, isOver));
  } catch (error) {
    if (error instanceof ClaimLost) return 'stopped';
    throw error;
  }
}

// First what an earlier scheduler, or this one before a pause, left without an answer; then what is to be retried.
async function finishOpen(expansion: Expansion, isOver: () => boolean): Promise<Expanded | null> {
  const { db, claim } = expansion;
  for (;;) {
    if (isOver()) return 'more';
    const { confirmedTo: after, markedTo } = expansion;
    const marked =
      markedTo === null ? [] : await selectOpenTurns(db.pool, claim, { after, upTo: markedTo }, BATCH);
    const turns = marked.length > 0 ? marked : await selectOpenTurns(db.pool, claim, 'retry', BATCH);
    if (turns.length === 0) return null;
    if (!(await keepCampaign(db.pool, claim, expansion.leaseMs))) return 'stopped';
    const stopped = await finishTurns(expansion, turns, marked.length > 0);
    if (stopped) return stopped;
  }
}

async function finishTurns(expansion: Expansion, turns: Turn[], inOrder: boolean): Promise<Expanded | null> {
  const { db, claim } = expansion;
  const stored = turns.filter((turn) => turn.stored).map((turn) => turn.contactId);
  const gone = turns.filter((turn) => !turn.stored && turn.contact === null).map((turn) => turn.contactId);
  const waiting = turns.filter((turn) => !turn.stored && turn.contact !== null);
  const oldest = newUuidTime() - RENEW_AFTER_MS;
  const renewed = waiting.filter((turn) => uuidTimeMs(turn.messageId) < oldest);
  for (const turn of renewed) turn.messageId = newUuid();
  if (renewed.length > 0) await renewMessageIds(db.pool, claim, renewed);
  const read = waiting.length === 0 ? null : await submit(expansion, waiting);
  const blocked = read !== null && (read.stop !== null || read.again);
  const confirmedTo = !inOrder ? null : blocked ? read.confirmedTo : turns.at(-1)!.contactId;
  return conclude(expansion, read, { stored, gone, confirmedTo });
}

// While the senders accept one batch, the next is marked and on its way; answers are written down in order.
async function goOn(expansion: Expansion, isOver: () => boolean): Promise<Expanded> {
  const flights: Promise<ReadAnswers>[] = [];
  try {
    for (let end: 'all' | 'more' | null = null; ;) {
      while (end === null && flights.length < IN_FLIGHT) {
        if (isOver()) end = 'more';
        else if (!(await depart(expansion, flights))) end = 'all';
      }
      const first = flights.shift();
      if (!first) return end ?? 'all';
      const read = await first;
      const { confirmedTo } = read;
      const stopped = await conclude(expansion, read, { stored: [], gone: [], confirmedTo });
      if (stopped) return stopped;
    }
  } finally {
    // Answers that nobody will write down: the rows tell that they are open, and the next one finds out.
    await Promise.allSettled(flights);
  }
}

async function depart(expansion: Expansion, flights: Promise<ReadAnswers>[]): Promise<boolean> {
  const turns = await mark(expansion);
  if (turns.length === 0) return false;
  const answer = submit(expansion, turns);
  answer.catch(() => {}); // awaited in its turn
  flights.push(answer);
  return true;
}

async function mark(expansion: Expansion): Promise<Turn[]> {
  const { db, claim } = expansion;
  const turns = await inTransaction(db.pool, async (client) => {
    const contacts = await selectAudience(client, claim, expansion.markedTo, BATCH);
    const turns = contacts.map(({ contactId, ...contact }) => ({
      contactId,
      messageId: newUuid(),
      contact,
      stored: false,
    }));
    const last = turns.at(-1);
    if (!last) return [];
    await insertRecipients(client, claim, turns);
    if (!(await moveMark(client, claim, last.contactId, expansion.leaseMs))) throw new ClaimLost();
    expansion.markedTo = last.contactId;
    return turns;
  });
  if (turns.length > 0) expansion.fail('campaign.after-mark');
  return turns;
}

async function submit(expansion: Expansion, turns: Turn[]): Promise<ReadAnswers> {
  const { claim, make, sender } = expansion;
  const made = turns.map((turn) => ({ turn, input: turn.contact && make(turn.contact) }));
  const sendable = made.flatMap(({ turn, input }) => (input ? [{ turn, input }] : []));
  const unusable = made.filter(({ input }) => !input).map(({ turn }) => turn.contactId);
  const failed = unusable.map((contactId) => ({ contactId, error: 'email is not an address' }));
  const all = turns.at(-1)!.contactId;
  if (sendable.length === 0) return { accepted: [], failed, confirmedTo: all, stop: null, again: false };
  const answer = await submitBatch(sender as SenderClient, {
    tenantId: claim.tenantId,
    messages: sendable.map(({ turn, input }) => ({
      id: turn.messageId,
      input,
      campaign: { campaignId: claim.id, contactId: turn.contactId },
    })),
  });
  const read = readAnswers(
    sendable.map(({ turn }) => turn),
    answer,
  );
  const confirmedTo = read.stop || read.again ? read.confirmedTo : all;
  return { ...read, failed: [...read.failed, ...failed], confirmedTo };
}

async function conclude(
  expansion: Expansion,
  read: ReadAnswers | null,
  known: { stored: string[]; gone: string[]; confirmedTo: string | null },
): Promise<Expanded | null> {
  const { db, claim } = expansion;
  expansion.fail('campaign.after-submit');
  await inTransaction(db.pool, async (client) => {
    const answers = {
      // Only who is retried has an error to be cleared; the others' place is before the mark.
      mended: known.confirmedTo === null ? [...known.stored, ...(read?.accepted ?? [])] : [],
      failed: read?.failed ?? [],
      gone: known.gone,
      confirmedTo: known.confirmedTo,
    };
    if (!(await concludeTurns(client, claim, answers, expansion.leaseMs))) throw new ClaimLost();
  });
  expansion.fail('campaign.after-conclude');
  expansion.confirmedTo = known.confirmedTo ?? expansion.confirmedTo;
  expansion.tell(claim);
  if (read?.stop) {
    await pauseForRefusal(db.pool, claim, read.stop.reason, read.stop.message);
    expansion.tell(claim);
    return 'stopped';
  }
  return read?.again ? 'away' : null;
}

// The age of an id is told by the same clock that made it.
function newUuidTime(): number {
  return uuidTimeMs(newUuid());
}
