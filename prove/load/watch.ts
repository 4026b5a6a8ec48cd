// What is read all the time while the load runs: every tenant's events, followed as docs/events.md says, and the caps of
// its domains.

import { setTimeout as wait } from 'node:timers/promises';

import { journalMs, type Journal } from '../journal.ts';
import { canonical } from '../spelling.ts';
import type { Stack } from '../stack/stack.ts';
import type { Account } from './accounts.ts';
import type { Http } from './http.ts';
import { createReader, type Reader } from './read.ts';

/** An event of the feed. */
interface FeedEvent {
  id: string;
  type: string;
  message_id: string;
  recipient: string;
  occurred_at: string;
}

interface WaitingView {
  id: string;
  to: string;
  domain: string;
  defer_reason: string | null;
  deferred_until: string | null;
}

interface DomainView {
  name: string;
  warmup: { tier: number; cap: number; used: number; day: string; state: string };
}

const PAGE_MS = 2_000; // a key may read 60 times a minute
const CAPS_EVERY_MS = 4_000;
const WAITING_EVERY_MS = 4_000;
const WAIT_SECONDS = 10;

/** Who reads for an account: a key may read 60 times a minute, so each has keys of its own. */
interface Readers {
  events: Reader;
  caps: Reader;
  waiting: Reader;
  /** For all that is read once, or when the load is over. */
  rest: Reader;
}

/** Opens the readers of all accounts; they end with the signal. */
export function openReaders(
  accounts: Account[],
  { apis }: Pick<Stack, 'apis'>,
  http: Http,
  signal: AbortSignal,
): Map<Account, Readers> {
  const origins = apis.map(({ origin }) => origin);
  return new Map(
    accounts.map((account) => {
      const keys = account.readKeys.map(({ value }) => value);
      const open = (from: number, to?: number) => createReader(http, origins, keys.slice(from, to), signal);
      return [account, { events: open(0, 1), caps: open(1, 2), waiting: open(2, 3), rest: open(3) }];
    }),
  );
}

/** Follows the events and reads the caps and what waits, of all accounts until the signal aborts. */
export async function watchAll(
  readers: Map<Account, Readers>,
  { journal, signal, storeMs }: { journal: Journal; signal: AbortSignal; storeMs: () => number },
): Promise<void> {
  const often = async (everyMs: number, read: () => Promise<void>) => {
    while (!signal.aborted) {
      await read();
      await wait(everyMs, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all(
    [...readers].flatMap(([account, { events, caps, waiting }]) => {
      const readWaiting = createWaitingReader(journal, account, waiting, storeMs);
      return [
        followEvents(journal, account, events, signal),
        often(CAPS_EVERY_MS, () => readCaps(journal, account, caps)),
        ...(account.spec.part === 'rate' ? [] : [often(WAITING_EVERY_MS, readWaiting)]),
      ];
    }),
  );
}

// Each event is in the journal before the cursor moves.
async function followEvents(
  journal: Journal,
  account: Account,
  reader: Reader,
  signal: AbortSignal,
): Promise<void> {
  for (let after = ''; !signal.aborted;) {
    const query = `order=asc&limit=100&wait=${WAIT_SECONDS}${after}`;
    const page = await reader.get<{ items: FeedEvent[]; next_cursor: string }>(`/events?${query}`);
    if (page === null) return;
    for (const event of page.items) journal.append(eventEntry('followed', account, event));
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
    await wait(PAGE_MS, undefined, { signal }).catch(() => {});
  }
}

/** An event as an entry. */
export function eventEntry(how: 'followed' | 'listed', { tenant }: Account, event: FeedEvent) {
  const { id, type, message_id: message, occurred_at: occurredAt } = event;
  const recipient = canonical(event.recipient);
  return { kind: 'event', how, tenant, id, type, message, recipient, occurredAt } as const;
}

// The newest hundred that wait. Where caps change under them, it counts how long they go on waiting: all is noted each time.
function createWaitingReader(
  journal: Journal,
  { tenant, spec }: Account,
  reader: Reader,
  storeMs: () => number,
) {
  const noted = new Map<string, string>();
  return async () => {
    const asked = journalMs();
    const page = await reader.get<{ items: WaitingView[] }>('/transactional?status=deferred&limit=100');
    for (const { id, to, domain, defer_reason: reason, deferred_until: until } of page?.items ?? []) {
      const said = `${reason} ${until}`;
      const isOver = until !== null && Date.parse(until) < storeMs();
      if (noted.get(id) === said && !isOver && spec.part !== 'second-day') continue;
      noted.set(id, said);
      const recipient = canonical(to);
      journal.append({ kind: 'waiting', tenant, id, recipient, domain, reason, until, asked });
    }
  };
}

/** Reads the caps once. */
export async function readCaps(journal: Journal, { tenant }: Account, reader: Reader): Promise<void> {
  const asked = journalMs();
  const page = await reader.get<{ items: DomainView[] }>('/mail/domains?limit=100');
  for (const { name: domain, warmup } of page?.items ?? []) {
    const { day, tier, cap, used, state } = warmup;
    journal.append({ kind: 'cap', tenant, domain, day, tier, cap, used, state, asked });
  }
}
