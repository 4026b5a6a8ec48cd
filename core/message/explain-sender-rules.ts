// The rules by which a sender has mail, and gives it back without an attempt.

import { atOnce, DELIVER, DELIVERABILITY, ended, postponed, WARMUP, type Rule } from './explain-rule.ts';
import { numberOf, providerWords, textOf } from './explain-words.ts';

const SOURCES = `${DELIVERABILITY}#pools-and-sources`;
const POOL = 'of its domain or route';
const SENDER_NEXT = 'A sender takes it then, and delivers it or says why not.';

/** Rules of the sender before an attempt. */
export const SENDER_RULES = {
  sending: {
    moves: ['claimDue', 'claimByDomain', 'claimByIds', 'noteReturned'],
    standing: ended('sending'),
    words: () => 'A sender has it.',
    next: 'It is delivered now, or the sender says why not.',
    docs: DELIVER,
  },
  provider_limit: {
    moves: ['recordOutcomes'],
    standing: postponed('deferred'),
    words: (inputs, until) => `Waits until ${until}: ${providerWords(inputs)}.`,
    next: SENDER_NEXT,
    docs: `${DELIVERABILITY}#mailbox-providers`,
  },
  destination_rests: {
    moves: ['recordOutcomes'],
    standing: postponed('deferred'),
    words: (inputs, until) =>
      `Waits until ${until}: ${textOf(inputs, 'destination', 'its destination')} ${
        inputs['reason'] === 'tls_policy'
          ? 'did not meet the TLS policy of its domain'
          : 'could not be reached'
      } a moment ago.`,
    next: SENDER_NEXT,
    docs: DELIVER,
  },
  destination_full: {
    moves: ['recordOutcomes'],
    standing: postponed('queued'),
    words: (inputs, until) =>
      `Waits until ${until}: ${numberOf(inputs, 'ahead')} messages wait for ${textOf(inputs, 'destination', 'its destination')} already, which takes ${numberOf(inputs, 'per_second')} a second.`,
    next: SENDER_NEXT,
    docs: `${DELIVERABILITY}#turns`,
  },
  source_cap: {
    moves: ['recordOutcomes'],
    standing: postponed('deferred'),
    words: (inputs, until) =>
      `Waits until ${until}: all addresses of the pool ${textOf(inputs, 'pool', POOL)} (${numberOf(inputs, 'addresses')}) have used their caps of today.`,
    next: SENDER_NEXT,
    docs: SOURCES,
  },
  sources_rest: {
    moves: ['recordOutcomes'],
    standing: postponed('deferred'),
    words: (inputs, until) =>
      `Waits until ${until}: ${numberOf(inputs, 'resting')} of ${numberOf(inputs, 'addresses')} addresses of the pool ${textOf(inputs, 'pool', POOL)} rest after refusals of ${textOf(inputs, 'provider', 'its mailbox provider')}.`,
    next: SENDER_NEXT,
    docs: SOURCES,
  },
  source_rests: {
    moves: ['recordOutcomes'],
    standing: postponed('queued'),
    words: () => 'Given back: the address that it was to leave from rests now.',
    next: 'A sender takes it again, and another address of the pool.',
    docs: SOURCES,
  },
  source_away: {
    moves: ['recordOutcomes'],
    standing: postponed('deferred'),
    words: (inputs, until) =>
      `Waits until ${until}: the sender that had it has none of the addresses of the pool ${textOf(inputs, 'pool', POOL)}.`,
    next: 'A sender takes it then; one on a machine with such an address delivers it.',
    docs: SOURCES,
  },
  sender_error: {
    moves: ['recordOutcomes'],
    standing: postponed('queued'),
    words: (_, until) => `Waits until ${until}: the delivery failed on our side.`,
    next: SENDER_NEXT,
    docs: 'docs/operating.md#when-something-is-wrong',
  },
  sender_stops: {
    moves: ['recordOutcomes'],
    standing: postponed('queued'),
    words: () => 'Given back: the sender that had it stops.',
    next: 'Another sender takes it.',
    docs: 'docs/operating.md#restarting',
  },
  not_now: {
    moves: ['recordOutcomes'],
    standing: postponed('queued'),
    words: ({ day_over: dayOver }) =>
      dayOver === true
        ? 'Given back: the day of its admission is over.'
        : 'Given back: it could not be sent and recorded just then.',
    next: 'A sender takes it again, with an admission of the day.',
    docs: `${WARMUP}#the-curve`,
  },
  sender_lost: {
    moves: ['reclaimFromLost', 'reclaimForgotten'],
    standing: atOnce('queued'),
    words: () => 'Queued again: the sender that had it died, stood still or lost it.',
    next: 'Another sender takes it.',
    docs: 'docs/flow.md#repair',
  },
} as const satisfies Record<string, Rule>;
