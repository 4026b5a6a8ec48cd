// What a rule is by which something is decided about a message, and the ways in which rules leave a message.

import { nextUtcMidnight } from '../base/clock.ts';
import { numberOf, type DecisionInputs } from './explain-words.ts';
import type { MessageState, MOVES } from './states.ts';

/** A decision without what follows from it. */
export interface Made {
  at: Date;
  inputs: DecisionInputs;
}

/** Where a decision leaves its message. */
export interface Standing {
  state: MessageState;
  /** When something is done about it next; null when it has ended, or a sender has it. */
  until: Date | null;
}

/** One rule. */
export interface Rule {
  /** Names of the statements that apply it (core/message/states.ts); `attempt`: it is read from the attempt; none: from the row. */
  moves: readonly ((typeof MOVES)[number]['name'] | 'attempt')[];
  standing: (made: Made) => Standing;
  /** When it goes on, where a sender only looks at it again at the time of `standing`; null: when somebody resumes it. */
  waitsUntil?: (made: Made) => Date | null;
  /** What was decided, as a sentence; `until` as it stands then. */
  words: (inputs: DecisionInputs, until: string) => string;
  /** What happens next, as a sentence. */
  next: string | ((inputs: DecisionInputs) => string);
  /** The page that describes it, with its section. */
  docs: string;
}

/** It has ended, or nothing is known of when it ends. */
export const ended = (state: MessageState) => (): Standing => ({ state, until: null });

/** It goes on at once. */
export const atOnce =
  (state: MessageState) =>
  ({ at }: Made): Standing => ({ state, until: at });

/** A sender gave it back for a time of its own. */
export const postponed =
  (state: MessageState) =>
  ({ at, inputs }: Made): Standing => ({
    state,
    until: new Date(at.getTime() + numberOf(inputs, 'retry_in_ms')),
  });

/** It waits for the next day. */
export const untilMidnight = ({ at }: Made): Standing => ({ state: 'deferred', until: nextUtcMidnight(at) });

/** Of accepting and releasing until midnight, of a sender for a time of its own. */
export const postponedOrMidnight = (made: Made): Standing =>
  'retry_in_ms' in made.inputs ? postponed('deferred')(made) : untilMidnight(made);

/** Nothing follows. */
export const NOTHING = 'Nothing more is done about it.';

/** Pages that several rules lead to. */
export const WARMUP = 'docs/warmup.md';
export const DELIVERABILITY = 'docs/deliverability.md';
export const DELIVER = 'docs/flow.md#deliver';
