// What each address of the simulator does. Contract: the local part, with any +label, at simulator.test.

import { SIMULATOR_DOMAIN } from './zone.ts';

/** What happens to one recipient. */
export type Behaviour =
  | 'delivered' // 250
  | 'bounced' // 550 at RCPT
  | 'softbounced' // 452 at the first RCPT of a message, 250 at the second
  | 'dsn' // 250, then a report that it could not be delivered
  | 'complained' // 250, then a report of a complaint
  | 'deferred' // 421 for ever
  | 'slow'; // 250 after half a minute

/** A refusal at RCPT: code and text with the enhanced code (RFC 3463). */
export interface Refusal {
  code: number;
  text: string;
}

const NAMED: ReadonlySet<string> = new Set([
  'bounced',
  'softbounced',
  'dsn',
  'complained',
  'deferred',
  'slow',
] satisfies Behaviour[]);

const REFUSALS = {
  bounced: { code: 550, text: '5.1.1 The mailbox does not exist' },
  softbounced: { code: 452, text: '4.2.2 The mailbox is full; try again later' },
  deferred: { code: 421, text: '4.3.2 The mailbox host is closed for now; try again later' },
} as const;

// First tries that are waiting for their second; the oldest are forgotten. About 150 octets each.
const MAX_FIRST_TRIES = 100_000;

/** The behaviour of an address. Whatever is routed to us beside simulator.test is simply delivered. */
export function behaviourOf(address: string): Behaviour {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== SIMULATOR_DOMAIN) return 'delivered';
  const local = address.slice(0, at).toLowerCase().split('+')[0] ?? '';
  return NAMED.has(local) ? (local as Behaviour) : 'delivered';
}

/** Decides at RCPT; remembers first tries. */
export class RecipientGate {
  readonly #firstTries = new Set<string>();

  /** The refusal, or undefined when the recipient is accepted. A message is known by its envelope sender (VERP). */
  refuse(mailFrom: string, recipient: string): Refusal | undefined {
    const behaviour = behaviourOf(recipient);
    if (behaviour === 'bounced' || behaviour === 'deferred') return REFUSALS[behaviour];
    return behaviour === 'softbounced' && this.#isFirstTry(`${mailFrom} ${recipient}`)
      ? REFUSALS.softbounced
      : undefined;
  }

  #isFirstTry(key: string): boolean {
    if (this.#firstTries.delete(key)) return false;
    const [oldest] = this.#firstTries;
    if (this.#firstTries.size >= MAX_FIRST_TRIES && oldest !== undefined) this.#firstTries.delete(oldest);
    this.#firstTries.add(key);
    return true;
  }
}
