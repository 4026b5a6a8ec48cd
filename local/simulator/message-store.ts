// What the simulator caught, newest last: bounded, so that a load test of millions does not fill the memory.

import { isUtf8 } from 'node:buffer';

import { nowDate } from '../../core/base/clock.ts';

/** One recipient of one message, as `GET /messages` shows it. */
export interface CaughtMessage {
  id: string;
  mail_from: string;
  rcpt_to: string;
  received_at: string;
  /** What came after DATA. Octets that are not UTF-8 are shown as Latin-1. */
  raw: string;
}

interface Stored {
  id: number;
  mailFrom: string;
  rcptTo: string;
  receivedAt: Date;
  raw: Buffer;
}

/** Most messages that are kept. */
const MAX_MESSAGES = 10_000;

/** Most octets of raw messages that are kept. */
const MAX_OCTETS = 256 * 1024 * 1024;

/** The most recent messages. */
export class MessageStore {
  readonly #maxMessages: number;
  readonly #maxOctets: number;
  #items: Stored[] = [];
  #first = 0; // items before it are dropped; the array is cut when half of it is
  #octets = 0;
  #total = 0;

  constructor(limits: { maxMessages?: number; maxOctets?: number } = {}) {
    this.#maxMessages = limits.maxMessages ?? MAX_MESSAGES;
    this.#maxOctets = limits.maxOctets ?? MAX_OCTETS;
  }

  /** How many were caught since the start, dropped ones included. */
  get total(): number {
    return this.#total;
  }

  /** Keeps one; the oldest is dropped for it. */
  add(mailFrom: string, rcptTo: string, raw: Buffer): void {
    this.#total += 1;
    this.#octets += raw.length;
    this.#items.push({ id: this.#total, mailFrom, rcptTo, receivedAt: nowDate(), raw });
    while (this.#items.length - this.#first > this.#maxMessages || this.#octets > this.#maxOctets) {
      this.#octets -= this.#items[this.#first]?.raw.length ?? 0;
      this.#first += 1;
    }
    if (this.#first > this.#maxMessages) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The newest first, those to one recipient where given (letter case does not matter). */
  list(limit: number, to?: string): CaughtMessage[] {
    const wanted = to?.toLowerCase();
    const found: CaughtMessage[] = [];
    for (let index = this.#items.length - 1; index >= this.#first && found.length < limit; index--) {
      const item = this.#items[index];
      if (item && (wanted === undefined || item.rcptTo.toLowerCase() === wanted)) found.push(shown(item));
    }
    return found;
  }

  /** One by its id, while it is kept. */
  find(id: string): CaughtMessage | undefined {
    const item = this.#items.slice(this.#first).find((one) => String(one.id) === id);
    return item && shown(item);
  }
}

function shown(item: Stored): CaughtMessage {
  return {
    id: String(item.id),
    mail_from: item.mailFrom,
    rcpt_to: item.rcptTo,
    received_at: item.receivedAt.toISOString(),
    raw: item.raw.toString(isUtf8(item.raw) ? 'utf8' : 'latin1'),
  };
}
