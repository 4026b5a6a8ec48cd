// Mail offered to a mail server over SMTP, and what it answered.

import { createHash } from 'node:crypto';

import { sleep } from '../../core/base/clock.ts';
import { recipientDomain } from '../outside.ts';
import type { Journal } from '../journal.ts';
import { transfer } from '../load/smtp.ts';
import type { Kind } from '../sink/verdicts.ts';

/** How to sign in to a mail server. */
export interface Login {
  port: number;
  /** Signs in over STARTTLS, with one after the other: a key may send 600 a minute. */
  apiKeys?: string[];
}

/** What is offered. */
export interface Offer {
  perSecond: number;
  seconds: number;
}

/** Who sends. */
export const DOMAIN = 'shop.test';

// Most mail is taken at once; of the slow a fault meets many between the final dot and its answer.
const KINDS: Kind[] = ['ok', 'ok', 'ok', 'ok', 'slow'];
const MOST_IN_FLIGHT = 100; // while the server is dead nothing more is offered

/** Offers messages one by one. Resolves when each has an answer or its time limit is over. */
export async function offerMail(login: Login, journal: Journal, offer: Offer): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  const count = Math.floor(offer.perSecond * offer.seconds);
  for (let n = 0; n < count; n += 1) {
    while (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
    const one: Promise<void> = send(login, journal, n).finally(() => inFlight.delete(one));
    inFlight.add(one);
    await sleep(1000 / offer.perSecond);
  }
  await Promise.all(inFlight);
}

async function send(login: Login, journal: Journal, n: number): Promise<void> {
  const kind = KINDS[n % KINDS.length]!;
  const recipient = `${kind}-${n}@${recipientDomain(kind, n)}`;
  const from = `news@${DOMAIN}`;
  const raw = `From: ${from}\r\nTo: ${recipient}\r\nSubject: ${n}\r\nMessage-ID: <${n}@${DOMAIN}>\r\n\r\nMessage ${n}.\r\n`;
  const request = `message-${n}`;
  const via = 'submission';
  journal.append({
    kind: 'request',
    request,
    via,
    tenant: '',
    domain: DOMAIN,
    apiKey: null,
    once: null,
    recipients: [recipient],
    contents: [],
    sha256: createHash('sha256').update(raw).digest('hex'),
    to: `127.0.0.1:${login.port}`,
  });
  const apiKey = login.apiKeys?.[n % login.apiKeys.length];
  const signedIn = { requireTLS: true, auth: { user: 'postrider', pass: apiKey } };
  const options = {
    host: '127.0.0.1',
    port: login.port,
    tls: { rejectUnauthorized: false }, // the certificate of this run
    ...(apiKey === undefined ? { ignoreTLS: true } : signedIn),
  };
  const answer = await transfer(options, [recipient], { mailFrom: from, raw: Buffer.from(raw) });
  const taken = { id: answer.error ?? '', recipient, status: 'queued', reason: null, deferredUntil: null };
  journal.append({
    kind: 'answer',
    request,
    via,
    ...answer,
    taken: answer.outcome === 'taken' ? [taken] : [],
  });
}
