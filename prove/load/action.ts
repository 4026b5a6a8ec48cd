// What clients do in a run, as the plan of the load says it.

import type { Kind } from '../sink/verdicts.ts';

/** A way to send one message. */
export type Way = 'rest' | 'grpc' | 'stream' | 'graphql' | 'submission' | 'batch';

/** Something that a client does. `tenant` is a place among the tenants. */
export type Action = { at: number; tenant: number } & (
  | SendAction
  | { do: 'suppress'; recipient: string }
  | { do: 'campaign'; domain: string }
  | { do: 'reset' }
  | ReceiveAction
);

/** Mail to send. */
export interface SendAction {
  do: 'send';
  way: Way;
  domain: string;
  recipients: string[];
  /** Place of the key among the tenant's. */
  key: number;
  /** With an idempotency key or an id of its own, so that it may be repeated. */
  once: boolean;
  /** So many clients ask for the very same at a time. */
  copies: number;
  /** The key is used once more when that is answered, for other mail to the same recipients, which is refused. */
  clashes: boolean;
}

/** Mail that comes in from the world. */
interface ReceiveAction {
  do: 'receive';
  domain: string;
  recipient: string;
  lines: number;
  /** The session that brings it with others, one after the other; null has a session of its own. */
  session: string | null;
}

/** How much, and of what. */
export interface LoadSize {
  seed: number;
  seconds: number;
  /** Requests of the mixed tenants in a second. */
  perSecond: number;
  /** Recipients of a kind beside the usual ones, in thousandths. */
  more?: Partial<Record<Kind, number>>;
  /** Part of the requests with a key that several clients make at a time. */
  copies?: number;
  /** How often a victim begins: see `victims`. */
  victimsEveryMs?: number;
  /** How often somebody asks for a new password. */
  resetsEveryMs?: number;
}

/** A number from 0 to 1, the same for the same seed. */
export type Random = () => number;

/** An address that the run uses once. */
export type Names = () => string;

/** When things happen that happen so often, independent of each other. */
export function* times({ seconds }: LoadSize, perSecond: number, random: Random): Generator<number> {
  for (let at = 0; ;) {
    at += (-Math.log(1 - random()) * 1_000) / perSecond;
    if (at >= seconds * 1_000) return;
    yield at;
  }
}
