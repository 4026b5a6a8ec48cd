// "Where is my e-mail?": one text, looked for in messages, contacts, suppressions and campaigns at once. Messages are found by
// the index of their lists (core/message/search/), whatever their number. Contacts and suppressions are found by the addresses of
// those messages, by a whole address, and by a part of one among the newest (NEWEST in their stores). No index is kept for this
// alone.

import { selectCampaign, selectCampaignsLike } from '../campaign/campaign-store.ts';
import type { Campaign } from '../campaign/campaign.ts';
import { selectContact, selectContactsLike } from '../contact/contact-store.ts';
import type { Contact } from '../contact/contact.ts';
import type { Queryable } from '../db/pool.ts';
import { normalizeEmail } from '../mail/address.ts';
import { listMessages } from '../message/list-messages.ts';
import type { MessageFilter } from '../message/message-list-store.ts';
import { selectMessage, type MessageSummary } from '../message/message-store.ts';
import { selectSuppressionsLike, type Suppression } from '../suppression/suppression-store.ts';
import { readWantedId, readWantedText, type WantedId } from './read-search.ts';

/** What was found of each kind, newest first. */
export interface Found {
  messages: MessageSummary[];
  contacts: Contact[];
  suppressions: Suppression[];
  campaigns: Campaign[];
}

/** Of each kind: what fits on a screen without scrolling. The lists have the rest. */
export const MOST_FOUND = { messages: 8, contacts: 4, suppressions: 4, campaigns: 4 } as const;

const NOTHING: Found = { messages: [], contacts: [], suppressions: [], campaigns: [] };

/** Looks for a text in everything of a tenant. */
export async function find(db: Queryable, tenantId: string, text: string): Promise<Found> {
  const id = readWantedId(text);
  return id === null ? findText(db, tenantId, text) : findId(db, tenantId, id);
}

async function findId(db: Queryable, tenantId: string, { kind, uuid }: WantedId): Promise<Found> {
  switch (kind) {
    case 'msg':
      return { ...NOTHING, messages: listOf(await selectMessage(db, tenantId, uuid)) };
    case 'con':
      return { ...NOTHING, contacts: listOf(await selectContact(db, tenantId, uuid)) };
    case 'cmp':
      return { ...NOTHING, campaigns: listOf(await selectCampaign(db, tenantId, uuid)) };
    default:
      return kind satisfies never;
  }
}

async function findText(db: Queryable, tenantId: string, text: string): Promise<Found> {
  const { address, beside, others } = readWantedText(text);
  const list = (filter: MessageFilter) => listMessages(db, tenantId, filter, { limit: MOST_FOUND.messages });
  const [toAddress, campaigns, ...lists] = await Promise.all([
    address === null ? [] : list({ to: address, ...beside }),
    selectCampaignsLike(db, tenantId, text, MOST_FOUND.campaigns),
    ...others.map(list),
  ]);
  const messages = newest([...toAddress, ...lists.flat()]);
  const addresses = address === null ? [] : [address, ...toAddress.map(({ to }) => to)];
  const keys = [...new Set(addresses.map((one) => normalizeEmail(one)))];
  const part = (address ?? text).toLowerCase(); // a name may have several words
  const [contacts, suppressions] = await Promise.all([
    selectContactsLike(db, tenantId, { keys, part, limit: MOST_FOUND.contacts }),
    selectSuppressionsLike(db, tenantId, { keys, part, limit: MOST_FOUND.suppressions }),
  ]);
  return { messages, contacts, suppressions, campaigns };
}

function newest(messages: MessageSummary[]): MessageSummary[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [...byId.values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MOST_FOUND.messages);
}

function listOf<T>(found: T | null): T[] {
  return found === null ? [] : [found];
}
