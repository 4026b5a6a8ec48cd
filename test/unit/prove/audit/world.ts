// Hand-written journals: a small run in which every promise is kept, and the facts to break one.

import type { Entry, Fact } from '../../../../prove/journal.ts';

/** The day before midnight of the small run; its calendar begins 60 s before the end of it. */
export const DAY = '2026-03-10';
/** The day that begins at t = 60,000. */
export const NEXT_DAY = '2026-03-11';

const TENANT = 'tnt_1';
export const DOMAIN = 'shop.test';
/** Whom the service writes to by itself. */
export const OWNER = 'owner';
/** A domain whose tier is held, with a cap of 50. */
export const HELD = 'held.test';

/** The head of a journal: who there is, and what the store's clock says. */
export function head(): Entry[] {
  const tenants = [
    {
      id: TENANT,
      name: 'Shop',
      owner: OWNER,
      domains: [
        { id: 'dom_1', name: DOMAIN, tier: 0, held: false },
        { id: 'dom_2', name: HELD, tier: 0, held: true },
      ],
    },
  ];
  return [
    at(0, { kind: 'run', run: 'r', seed: 1, minutes: 1, commit: 'c', bug: null, startedAt: DAY, tenants }),
    at(0, { kind: 'calendar', storeMs: Date.parse(NEXT_DAY) - 60_000, since: 0 }),
  ];
}

/** One entry. */
export function at(t: number, fact: Fact): Entry {
  return { t, ...fact };
}

/** A request and its answer 10 ms later. */
export function ask(t: number, recipient: string, more: { request?: object; answer?: object } = {}): Entry[] {
  const request = `req ${recipient} ${t}`;
  const taken = [{ id: `msg_${recipient}`, recipient, status: 'queued', reason: null, deferredUntil: null }];
  return [
    at(t, {
      kind: 'request',
      request,
      via: 'rest',
      tenant: TENANT,
      domain: DOMAIN,
      apiKey: 'key',
      once: null,
      recipients: [recipient],
      contents: [`words for ${recipient}`],
      sha256: `body of ${recipient}`,
      to: 'localhost:1',
      ...more.request,
    }),
    at(t + 10, {
      kind: 'answer',
      request,
      via: 'rest',
      outcome: 'taken',
      status: 202,
      error: null,
      taken,
      failed: [],
      replayed: false,
      retryAfterSeconds: null,
      campaign: null,
      quota: null,
      rate: null,
      ...more.answer,
    }),
  ];
}

let transactions = 0;

/** One transaction at the sink: DATA at `t`, its dot 5 ms and its verdict 10 ms later. */
export function transact(
  t: number,
  recipient: string,
  more: {
    messageId?: string;
    reply?: string;
    sender?: string;
    from?: string;
    content?: string;
    dkim?: string;
  } = {},
): Entry[] {
  const transaction = ++transactions;
  const base = { connection: transaction, transaction, recipient };
  const {
    messageId = `id of ${recipient}`,
    reply = '250 2.0.0 Ok',
    sender = 'sender-1',
    from = DOMAIN,
    content = `words for ${recipient}`,
    dkim = 'pass',
  } = more;
  const message = { messageId, from, sha256: 's', octets: 9, subject: 'Hello', content, dkim };
  return [
    at(t - 2, { kind: 'connected', connection: transaction, helo: sender }),
    at(t - 1, { kind: 'rcpt', ...base, mailFrom: 'x', reply: '250 Ok' }),
    at(t, { kind: 'data', ...base, reply: '354 go on' }),
    at(t, { kind: 'go_ahead', ...base }),
    at(t + 5, { kind: 'dot', ...base, ...message }),
    at(t + 10, { kind: 'verdict', ...base, reply, written: true }),
  ];
}

/** The connection of the latest transaction ended before its verdict. */
export function closed(t: number, by: 'sink' | 'peer'): Entry {
  return at(t, { kind: 'closed', connection: transactions, transaction: transactions, by });
}

/** A message as the API lists it at the end, at `t`. */
export function listed(t: number, recipient: string, more: object = {}): Entry {
  return at(t, {
    kind: 'message',
    tenant: TENANT,
    id: `msg_${recipient}`,
    recipient,
    domain: DOMAIN,
    campaign: null,
    status: 'delivered',
    reason: null,
    deferReason: null,
    deferredUntil: null,
    createdAt: `${DAY}T23:59:30.000Z`,
    ...more,
  });
}

/** An event, followed and listed. */
export function event(t: number, recipient: string, type: string): Entry[] {
  const what = {
    tenant: TENANT,
    id: `evt ${recipient} ${type}`,
    type,
    message: `msg_${recipient}`,
    recipient,
  };
  const seen = { kind: 'event', ...what, occurredAt: DAY } as const;
  return [at(t, { ...seen, how: 'followed' }), at(100_001, { ...seen, how: 'listed' })];
}

/** What the API says of the domain's cap at `t`. */
export function cap(t: number, most: number, used: number, day: string, domain = DOMAIN): Entry {
  const about = { tenant: TENANT, domain, state: domain === HELD ? 'held' : 'active', asked: t - 1 };
  return at(t, { kind: 'cap', ...about, day, tier: 0, cap: most, used });
}

/** A fault of one target. */
export function fault(from: number, to: number, target: string, name = 'freeze'): Entry[] {
  const what = {
    kind: 'fault',
    fault: `${target} ${from}`,
    name,
    target,
    pid: 1,
    detail: null,
  } as const;
  return [at(from, { ...what, phase: 'begun' }), at(to, { ...what, phase: 'ended' })];
}

/** Mail to inbound that was answered with 250. */
export function offered(t: number, recipient: string): Entry[] {
  return ask(t, recipient, {
    request: { via: 'inbound', apiKey: null },
    answer: { via: 'inbound', taken: [] },
  });
}

/** The webhook of an inbound mail. */
export function posted(t: number, recipient: string, more: object = {}): Entry {
  const what = { delivery: `dlv ${recipient}`, message: `inm ${recipient}`, tenant: TENANT, recipient };
  const body = {
    sha256: `body of ${recipient}`,
    octets: 9,
    signed: true,
    status: 200,
    attempt: 1,
    retryAfterSeconds: null,
  };
  return at(t, { kind: 'webhook', ...what, ...body, ...more });
}

/** Entries in the order of the journal. */
export function inOrder(entries: (Entry | Entry[])[]): Entry[] {
  return entries.flat().sort((a, b) => a.t - b.t);
}
