// The rules of what an attempt came to, and of mail that ends without one.

import { BOUNCE_CLASSES, type BounceClass } from '../mail/bounce/bounce-classes.ts';
import { DELIVER, ended, NOTHING, type Rule } from './explain-rule.ts';
import { numberOf, replyWords, textOf, timeOf, utc, type DecisionInputs } from './explain-words.ts';
import type { MessageState } from './states.ts';

// The class alone decides whether a permanent refusal suppresses (sender/deliver/decide-outcome.ts).
function afterBounce(inputs: DecisionInputs): string {
  const facts = BOUNCE_CLASSES[textOf(inputs, 'class') as BounceClass] as { suppresses: boolean } | undefined;
  return facts?.suppresses ? `${NOTHING} The address was put on the suppression list.` : NOTHING;
}

/** Rules of attempts and ends. */
export const END_RULES = {
  delivered: {
    moves: ['attempt'],
    standing: ended('delivered'),
    words: (inputs) => `Delivered in attempt ${numberOf(inputs, 'attempt')}${replyWords(inputs)}`,
    next: 'Nothing, unless the receiving side returns it later.',
    docs: DELIVER,
  },
  retry: {
    moves: ['attempt'],
    standing: ({ inputs }) => ({
      state: 'deferred',
      until: 'retry_at' in inputs ? timeOf(inputs, 'retry_at') : null,
    }),
    words: (inputs, until) =>
      `Attempt ${numberOf(inputs, 'attempt')} failed for now (${textOf(inputs, 'class', 'of no known class')})${until && `, next one at ${until}`}${replyWords(inputs)}`,
    next: 'It is tried again then, until its age limit.',
    docs: DELIVER,
  },
  bounced: {
    moves: ['attempt'],
    standing: ended('bounced'),
    words: (inputs) =>
      `Bounced in attempt ${numberOf(inputs, 'attempt')} (${textOf(inputs, 'class', 'of no known class')})${replyWords(inputs)}`,
    next: afterBounce,
    docs: DELIVER,
  },
  returned: {
    moves: ['bounceDelivered'],
    standing: ended('bounced'),
    words: (inputs) =>
      `Returned after its delivery (${textOf(inputs, 'class', 'unknown')}): ${textOf(inputs, 'diagnostic', 'without a reason')}`,
    next: afterBounce,
    docs: 'docs/inbound.md',
  },
  returned_early: {
    moves: ['noteReturned'],
    standing: ({ inputs }) => ({
      state: textOf(inputs, 'state', 'queued') as MessageState,
      until: 'until' in inputs ? timeOf(inputs, 'until') : null,
    }),
    words: () => 'A report says that it bounced, while it is still being sent from here.',
    next: 'It is sent as if the report had not come; the domain’s rates count it as bounced.',
    docs: 'docs/inbound.md',
  },
  expired: {
    moves: ['attempt', 'recordOutcomes'],
    standing: ended('expired'),
    words: (inputs) =>
      'attempt' in inputs
        ? `Given up after attempt ${numberOf(inputs, 'attempt')}: no time is left for another one${replyWords(inputs)}`
        : `Given up: its age limit ${utc(timeOf(inputs, 'expires_at'))} passed while it waited.`,
    next: NOTHING,
    docs: DELIVER,
  },
  suppressed: {
    moves: ['acceptMessages', 'recordOutcomes', 'dropDeferred'],
    standing: ended('dropped'),
    words: (inputs) =>
      textOf(inputs, 'stream') === 'bulk'
        ? 'Dropped: the recipient is on the suppression list for marketing mail, and this message has a way to unsubscribe.'
        : 'Dropped: the recipient is on the suppression list.',
    next: `${NOTHING} To send to this address again, remove it from the suppression list first.`,
    docs: 'docs/data-model.md#suppression',
  },
  domain_deleted: {
    moves: ['recordOutcomes', 'dropDeferred'],
    standing: ended('dropped'),
    words: () => 'Dropped: the sending domain was deleted.',
    next: NOTHING,
    docs: DELIVER,
  },
  content_missing: {
    moves: ['recordOutcomes'],
    standing: ended('dropped'),
    words: () => 'Dropped: its content is not there any more.',
    next: NOTHING,
    docs: DELIVER,
  },
  render_failed: {
    moves: ['recordOutcomes'],
    standing: ended('dropped'),
    words: (inputs) => `Dropped: its template could not be rendered. ${textOf(inputs, 'diagnostic')}`.trim(),
    next: `${NOTHING} Correct the template and send it again.`,
    docs: 'docs/templates.md',
  },
} as const satisfies Record<string, Rule>;
