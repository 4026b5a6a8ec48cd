// Where a message's row says that it stands, to be compared with what its decisions say.

import type { Standing } from '../../core/message/explain-rule.ts';
import type { MessageState } from '../../core/message/states.ts';

/** The columns of `messages` that say it. */
export interface StandingRow {
  state: MessageState;
  deferred_until: Date | null;
  next_attempt_at: Date | null;
}

/** State, and the time of what is done next of mail that waits. */
export function standingOf({
  state,
  deferred_until: release,
  next_attempt_at: attempt,
}: StandingRow): Standing {
  return { state, until: state === 'queued' || state === 'deferred' ? (release ?? attempt) : null };
}
