// What the public API says when everything has come to rest: all messages, all events, all inbound mail in mailboxes, the
// quota and the caps.

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { journalMs, type Journal } from '../journal.ts';
import { canonical } from '../spelling.ts';
import type { Account, World } from './accounts.ts';
import { listAll, type Reader } from './read.ts';
import { eventEntry, readCaps } from './watch.ts';

/** What reading needs. */
export interface ReadDeps {
  world: World;
  journal: Journal;
  /** A reader with the keys of an account that nobody else reads with. */
  readerOf(account: Account): Reader;
}

interface MessageView {
  id: string;
  to: string;
  domain: string;
  campaign_id: string | null;
  status: string;
  reason: string | null;
  defer_reason: string | null;
  deferred_until: string | null;
  created_at: string;
}

const FEED = 'open,click,bounce,complaint,delivered,deferred,dropped,unsubscribe,expired,cancelled';
const MOVING = ['queued', 'sending'];
const MOVES_FOR_MS = 10_000; // a retry that has just come due, at a receiver that pauses 2 s and answers 3 s later

/** Reads it, of all tenants side by side. */
export async function readEnd(deps: ReadDeps): Promise<void> {
  await Promise.all(
    deps.world.accounts.map(async (account) => {
      const reader = deps.readerOf(account);
      await readQuota(deps.journal, account, reader);
      await readMessages(deps.journal, account, reader);
      await readEvents(deps.journal, account, reader);
      if (account.spec.inbound === 'mailbox') await readMailboxes(deps.journal, account, reader);
      await readCaps(deps.journal, account, reader);
    }),
  );
}

/** Reads the month of a tenant. */
export async function readQuota(journal: Journal, { tenant }: Account, reader: Reader): Promise<void> {
  const asked = journalMs();
  const me = await reader.get<{ quota: { used: number; cap: number; resets_at: string } }>('/whoami');
  if (!me) return;
  const { used, cap, resets_at: resetsAt } = me.quota;
  journal.append({ kind: 'quota', tenant, used, cap, resetsAt, asked });
}

async function readMessages(journal: Journal, { tenant }: Account, reader: Reader): Promise<void> {
  for await (const listed of listAll<MessageView>(reader, '/transactional?')) {
    const one = MOVING.includes(listed.status) ? await readAgain(listed, reader) : listed;
    journal.append({
      kind: 'message',
      tenant,
      id: one.id,
      recipient: canonical(one.to),
      domain: one.domain,
      campaign: one.campaign_id,
      status: one.status,
      reason: one.reason,
      deferReason: one.defer_reason,
      deferredUntil: one.deferred_until,
      createdAt: one.created_at,
    });
  }
}

async function readAgain(listed: MessageView, reader: Reader): Promise<MessageView> {
  await wait(MOVES_FOR_MS);
  return (await reader.get<MessageView>(`/transactional/${listed.id}`)) ?? listed;
}

async function readEvents(journal: Journal, account: Account, reader: Reader): Promise<void> {
  type Feed = Parameters<typeof eventEntry>[2];
  for await (const event of listAll<Feed>(reader, `/events?types=${FEED}`))
    journal.append(eventEntry('listed', account, event));
}

async function readMailboxes(journal: Journal, { tenant }: Account, reader: Reader): Promise<void> {
  for await (const { id, recipient } of listAll<{ id: string; recipient: string }>(
    reader,
    '/mail/messages?',
  )) {
    const raw = await reader.bytes(`/mail/messages/${id}/raw`);
    if (!raw) return;
    const sha256 = createHash('sha256').update(raw).digest('hex');
    journal.append({ kind: 'mailbox', message: id, tenant, recipient, sha256, octets: raw.length });
  }
}
