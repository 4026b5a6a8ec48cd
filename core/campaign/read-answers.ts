// What the senders' answers to a batch mean for its recipients and for the campaign. Pure.

import type { BatchAnswer } from '../message/submit-message.ts';
import type { Accepted, Refused } from '../message/submission.ts';
import type { PauseReason } from './campaign.ts';
import type { Recipient } from './expand-store.ts';

/** A batch, read. `stop`: the campaign cannot go on. `again`: the same ids are to be submitted again, later. */
export interface ReadAnswers {
  accepted: string[];
  failed: { contactId: string; error: string }[];
  /** The last contact of the answered ones before the first that is not; null when the first one is not. */
  confirmedTo: string | null;
  stop: { reason: PauseReason; message: string } | null;
  again: boolean;
}

/** Reads the answers about these recipients, in order. */
export function readAnswers(recipients: Recipient[], answer: BatchAnswer): ReadAnswers {
  const items: (Accepted | Refused)[] = answer.ok ? answer.items : recipients.map(() => answer);
  const read: ReadAnswers = { accepted: [], failed: [], confirmedTo: null, stop: null, again: false };
  let unbroken = true;
  for (const [at, { contactId }] of recipients.entries()) {
    const meaning = meaningOf(items[at]);
    if (meaning === 'accepted') read.accepted.push(contactId);
    else if (meaning === 'again') read.again = true;
    else if ('reason' in meaning) read.stop ??= meaning;
    else read.failed.push({ contactId, error: meaning.error });
    unbroken &&= meaning === 'accepted' || (typeof meaning === 'object' && 'error' in meaning);
    if (unbroken) read.confirmedTo = contactId;
  }
  return read;
}

type Meaning = 'accepted' | 'again' | { error: string } | { reason: PauseReason; message: string };

function meaningOf(item: Accepted | Refused | undefined): Meaning {
  if (!item) return 'again';
  if (item.ok) return 'accepted';
  switch (item.code) {
    case 'quota_exceeded':
    case 'domain_paused':
    case 'domain_not_verified':
      return { reason: item.code, message: item.message };
    case 'validation_failed':
      // Of all that can be wrong only this is the same for every recipient.
      return item.details?.[0]?.path === 'template_id'
        ? { reason: 'template_not_found', message: 'The campaign’s template was deleted.' }
        : { error: item.message };
    case 'conflict':
    case 'payload_too_large':
      return { error: item.message };
    default:
      return 'again';
  }
}
