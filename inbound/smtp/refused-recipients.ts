// Who asks for recipients that are not here, one after the other, finds out slowly. Counted by network over all sessions of
// this process, as sessions are (core/smtp-server/session-limits.ts): a new session brings no new tries. Recipients that are
// here are taken all the same, so that one customer of a large provider cannot shut out the others.

import { networkOf } from '../../core/base/address-range.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';

/** The refused RCPTs of one process. */
export interface RefusedRecipients {
  /** Counts one; resolves when it may be answered, which is later for each after the first 20. Throws 421 after 30. */
  count(address: string): Promise<void>;
}

/** Refused RCPTs of a network in one window that are answered at once; a list that has grown old has fewer in one go. */
const AT_ONCE = 20;
/** Refused RCPTs in one window after which each costs the client its session. */
const MOST = 30;
const SLOW_MS = 1_000; // what Postfix waits (smtpd_error_sleep_time)
const WINDOW_MS = 10 * 60_000; // begins with the first; failed sign-ins have the same ten minutes
const MAX_NETWORKS = 10_000; // about 2 MB; the oldest goes for a new one

/** Makes the counter; `nowMs` is a clock that never jumps. */
export function createRefusedRecipients(clock: {
  nowMs: () => number;
  sleep: (ms: number) => Promise<unknown>;
}): RefusedRecipients {
  const windows = new Map<string, { count: number; until: number }>();
  const windowOf = (network: string) => {
    const known = windows.get(network);
    if (known && known.until > clock.nowMs()) return known;
    const fresh = { count: 0, until: clock.nowMs() + WINDOW_MS };
    windows.delete(network); // so that it moves to the young end of the map
    windows.set(network, fresh);
    if (windows.size > MAX_NETWORKS) windows.delete(windows.keys().next().value ?? network);
    return fresh;
  };
  return {
    async count(address) {
      const count = ++windowOf(networkOf(address)).count;
      if (count > AT_ONCE) await clock.sleep(SLOW_MS);
      if (count > MOST) {
        throw new Refusal(421, '4.7.0 Too many recipients that are not here; come again in ten minutes');
      }
    },
  };
}
