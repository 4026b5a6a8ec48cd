// Guessing is slowed per address of mail and per address of network, before the password is checked; so is asking for
// mail that resets a password.

import { AppError } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import { bookSignIn, forgetSignIn } from './sign-in-store.ts';

const WINDOW_SECONDS = 900; // failures are remembered for a quarter of an hour
const FAILURES_PER_EMAIL = 10; // a person mistyping never gets there; a guesser gets 960 tries a day
const FAILURES_PER_ADDRESS = 50; // an office behind one address shares this

const RESET_WINDOW_SECONDS = 3_600; // as long as a link works
const RESETS_PER_EMAIL = 3; // mails that anybody can cause in a mailbox
const RESETS_PER_ADDRESS = 20;

/** One attempt, booked as failed. */
export interface Attempt {
  /** Takes it, and all failures of the mail address, off the books: it was the right password. */
  succeeded(): Promise<void>;
  /** Takes it alone off the books: nothing was guessed, and what was guessed before still counts. */
  undone(): Promise<void>;
}

/** Books an attempt. Throws `rate_limited` after too many failures. */
export async function bookAttempt(db: Database, email: string, ip: string): Promise<Attempt> {
  const limits = [
    { subject: `email:${email}`, failures: FAILURES_PER_EMAIL },
    { subject: `ip:${ip}`, failures: FAILURES_PER_ADDRESS },
  ];
  const booking = await bookSignIn(db.pool, limits, WINDOW_SECONDS);
  if (booking.ok) {
    const { ids } = booking;
    return {
      succeeded: () => forgetSignIn(db.pool, ids, `email:${email}`),
      undone: () => forgetSignIn(db.pool, ids, null),
    };
  }
  throw new AppError('rate_limited', 'Too many failed sign-ins. Try again later.', {
    retryAfterSeconds: booking.freeInSeconds,
  });
}

/** Books a request for mail that resets a password. Throws `rate_limited` after too many, whoever has an account. */
export async function bookReset(db: Database, email: string, ip: string): Promise<void> {
  const limits = [
    { subject: `reset:${email}`, failures: RESETS_PER_EMAIL },
    { subject: `reset-ip:${ip}`, failures: RESETS_PER_ADDRESS },
  ];
  const booking = await bookSignIn(db.pool, limits, RESET_WINDOW_SECONDS);
  if (booking.ok) return;
  throw new AppError('rate_limited', 'Too many requests to reset a password. Try again later.', {
    retryAfterSeconds: booking.freeInSeconds,
  });
}
