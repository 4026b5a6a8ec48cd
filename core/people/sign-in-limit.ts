// Guessing is limited before the password is checked; so are requests for mail that resets a password. Attempts are counted by
// account and network, so that failures from one network do not lock the account elsewhere. Each account has a limit for all
// networks together too: it bounds distributed guessing. Neither limit applies to a browser in which the person signed in
// before, to a code of the second factor, or to an open session: these have separate limits.

import { AppError } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import { bookSignIn, forgetSignIn, type SignInLimit } from './sign-in-store.ts';

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600; // as long as a link that resets a password works

const FAILURES_BY_ORIGIN = 10; // in a quarter of an hour; a person mistyping never gets there; a guesser gets 960 tries a day
const FAILURES_PER_ADDRESS = 50; // in a quarter of an hour; an office behind one address shares this
const FAILURES_PER_ACCOUNT = 50; // in an hour; 1,200 tries a day from all networks together

const RESETS_BY_ORIGIN = 3; // in an hour; mails that one network can cause in a mailbox
const RESETS_PER_ADDRESS = 20; // in an hour
const RESETS_PER_ACCOUNT = 12; // in an hour; mails that all networks together can cause in a mailbox

/** Whose account is tried, and from where. */
export interface Trial {
  /** Normalized address of the account, whether or not there is one. */
  email: string;
  /** Client address, as the rate limits count it. */
  ip: string;
  /** Id of the browser, if the person of this address signed in with it before; else null. */
  browserId: string | null;
}

/** One attempt, booked as failed. */
export interface Attempt {
  /** A code of the second factor was accepted already: only with it the attempt could be made. */
  factorProved: boolean;
  /** Takes it, and all failures from the same origin, off the books: it was the right password. */
  succeeded(): Promise<void>;
  /** Takes it alone off the books: nothing was guessed, and what was guessed before still counts. */
  undone(): Promise<void>;
}

/**
 * Books an attempt to sign in. Where the account has too many failures, `proveFactor` is asked for a code of the second
 * factor, in front of the password: a wrong one tells nothing about that. Throws `rate_limited`.
 */
export async function bookAttempt(
  db: Database,
  trial: Trial,
  proveFactor: () => Promise<boolean>,
): Promise<Attempt> {
  const { email, ip, browserId } = trial;
  const address = limit(`ip:${ip}`, FAILURES_PER_ADDRESS, QUARTER_SECONDS);
  const known = browserId === null ? null : await bookKnown(db, email, browserId);
  if (known) return known;
  const origin = limit(`email:${email}|${ip}`, FAILURES_BY_ORIGIN, QUARTER_SECONDS);
  const account = limit(`email:${email}`, FAILURES_PER_ACCOUNT, HOUR_SECONDS);
  const booking = await bookSignIn(db.pool, [origin, account, address]);
  if (booking.ok) return attemptOf(db, booking.ids, origin);
  if (!booking.full.includes(address.subject)) {
    // An attacker who knows the password can guess codes here, so codes have separate limits.
    const codes = limit(`code:${email}|${ip}`, FAILURES_BY_ORIGIN, QUARTER_SECONDS);
    const allCodes = limit(`code:${email}`, FAILURES_PER_ACCOUNT, HOUR_SECONDS);
    const passing = await bookSignIn(db.pool, [codes, allCodes, address]);
    if (passing.ok && (await proveFactor()))
      return { ...attemptOf(db, passing.ids, codes), factorProved: true };
  }
  throw tooMany(
    'Too many failed sign-ins. Try again later, or enter a code of your second factor with the password.',
    booking,
  );
}

// Null when known browsers have too many failures too: then it counts as any other.
async function bookKnown(db: Database, email: string, browserId: string): Promise<Attempt | null> {
  const browser = limit(`known:${email}|${browserId}`, FAILURES_BY_ORIGIN, QUARTER_SECONDS);
  const all = limit(`known:${email}`, FAILURES_PER_ACCOUNT, HOUR_SECONDS);
  const booking = await bookSignIn(db.pool, [browser, all]);
  return booking.ok ? attemptOf(db, booking.ids, browser) : null;
}

/** Books an attempt to prove in an open session who one is: it counts for that session alone. Throws `rate_limited`. */
export async function bookInSession(db: Database, sessionId: string): Promise<Attempt> {
  const session = limit(`session:${sessionId}`, FAILURES_BY_ORIGIN, QUARTER_SECONDS);
  const booking = await bookSignIn(db.pool, [session]);
  if (booking.ok) return attemptOf(db, booking.ids, session);
  throw tooMany('Too many wrong passwords or codes in this session. Try again later.', booking);
}

/** Books a request for mail that resets a password. Throws `rate_limited` after too many, whoever has an account. */
export async function bookReset(db: Database, { email, ip, browserId }: Trial): Promise<void> {
  const limits =
    browserId === null
      ? [
          limit(`reset:${email}|${ip}`, RESETS_BY_ORIGIN, HOUR_SECONDS),
          limit(`reset:${email}`, RESETS_PER_ACCOUNT, HOUR_SECONDS),
          limit(`reset-ip:${ip}`, RESETS_PER_ADDRESS, HOUR_SECONDS),
        ]
      : [limit(`reset:${email}|${browserId}`, RESETS_BY_ORIGIN, HOUR_SECONDS)];
  const booking = await bookSignIn(db.pool, limits);
  if (booking.ok) return;
  throw tooMany('Too many requests to reset a password. Try again later.', booking);
}

function limit(subject: string, failures: number, seconds: number): SignInLimit {
  return { subject, failures, seconds };
}

function attemptOf(db: Database, ids: string[], origin: SignInLimit): Attempt {
  return {
    factorProved: false,
    succeeded: () => forgetSignIn(db.pool, ids, origin.subject),
    undone: () => forgetSignIn(db.pool, ids, null),
  };
}

function tooMany(text: string, { freeInSeconds }: { freeInSeconds: number }): AppError {
  return new AppError('rate_limited', text, { retryAfterSeconds: freeInSeconds });
}
