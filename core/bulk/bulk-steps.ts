// What a bulk change does to the rows of one batch, in one transaction, and which it leaves as they are. Each action keeps to
// the rules of its single twin.

import type pg from 'pg';

import { deleteContactRows, holdContacts } from '../contact/contact-store.ts';
import { fillList, holdLists, leaveList } from '../contact/list-store.ts';
import { cancelMessages } from '../message/cancel-message.ts';
import { selectMessageStates } from '../message/message-store.ts';
import { lockSuppressionReasons, removeSuppressions } from '../suppression/suppression-store.ts';
import type { BulkAction, BulkClaim, Refused } from './bulk-change.ts';

/** What became of a batch; null: nothing can be done any more, since the list is gone. */
type StepResult = { done: number; refused: Refused } | null;

/** Does it to the rows of these keys: UUIDs, or normalized addresses. */
type Step = (
  client: pg.ClientBase,
  claim: Pick<BulkClaim, 'tenantId' | 'listId'>,
  keys: string[],
) => Promise<StepResult>;

const LIFTED = ['bounce', 'manual'] as const; // the others ask for a look at each: their warnings differ

/** The step of every action. */
export const BULK_STEPS: Readonly<Record<BulkAction, Step>> = {
  async cancel_messages(client, { tenantId }, ids) {
    const done = new Set(await cancelMessages(client, tenantId, ids));
    const left = ids.filter((id) => !done.has(id));
    const states = await selectMessageStates(client, tenantId, left);
    const why = left.map((id) => {
      const state = states.get(id);
      if (state === undefined) return 'gone';
      return state === 'deferred' ? 'being_sent' : 'not_waiting';
    });
    return { done: done.size, refused: tally(why) };
  },
  async add_contacts_to_list(client, { tenantId, listId }, ids) {
    if (listId === null || !(await holdLists(client, tenantId, [listId])).has(listId)) return null;
    const there = await holdContacts(client, tenantId, ids);
    const done = await fillList(client, tenantId, listId, there);
    return {
      done,
      refused: counts({ gone: ids.length - there.length, already_on_list: there.length - done }),
    };
  },
  async remove_contacts_from_list(client, { tenantId, listId }, ids) {
    if (listId === null || !(await holdLists(client, tenantId, [listId])).has(listId)) return null;
    const done = await leaveList(client, tenantId, ids, listId);
    return { done, refused: counts({ not_on_list: ids.length - done }) };
  },
  async delete_contacts(client, { tenantId }, ids) {
    const done = await deleteContactRows(client, tenantId, ids);
    return { done, refused: counts({ gone: ids.length - done }) };
  },
  async lift_suppressions(client, { tenantId }, emails) {
    const reasons = await lockSuppressionReasons(client, tenantId, emails);
    const done = await removeSuppressions(client, tenantId, { reasons: LIFTED, emails });
    const { complaint = 0, unsubscribe = 0 } = tally(reasons);
    const gone = emails.length - done - complaint - unsubscribe;
    return { done, refused: counts({ complaint, unsubscribe, gone }) };
  },
};

/** Two counts as one. */
export function addRefused(one: Refused, other: Refused): Refused {
  const sum: Record<string, number> = { ...one };
  for (const [why, count] of Object.entries(other)) sum[why] = (sum[why] ?? 0) + count;
  return sum;
}

function tally<Word extends string>(words: Word[]): Partial<Record<Word, number>> {
  const found: Partial<Record<Word, number>> = {};
  for (const word of words) found[word] = (found[word] ?? 0) + 1;
  return found;
}

function counts(all: Refused): Refused {
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}
