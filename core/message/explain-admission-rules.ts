// The rules by which mail is accepted, waits for its admission, and goes on.

import { nextUtcMidnight } from '../base/clock.ts';
import { brakeWords } from './brake-cause.ts';
import {
  atOnce,
  DELIVERABILITY,
  ended,
  NOTHING,
  postponedOrMidnight,
  untilMidnight,
  WARMUP,
  type Rule,
  type Made,
  type Standing,
} from './explain-rule.ts';
import { capWords, countWords, dayWords, routeWords, textOf, timeOf } from './explain-words.ts';
import { HELD_UNTIL } from './message-columns.ts';
import type { MessageState } from './states.ts';

const HELD = new Date(HELD_UNTIL);
const RELEASE_NEXT = 'It is released then, before newer mail, as far as the cap of that day allows.';

const kept = ({ inputs }: Made): MessageState => (inputs['state'] === 'queued' ? 'queued' : 'deferred');
// Mail that no sender has looked at since it is held: only its state is known.
const heldOrPostponed = (made: Made): Standing =>
  'state' in made.inputs ? { state: kept(made), until: null } : postponedOrMidnight(made);
const startOfDay = (at: Date) => new Date(nextUtcMidnight(at).getTime() - 86_400_000);

/** Rules of the gate, the release, and of people who hold, resume or cancel. */
export const ADMISSION_RULES = {
  accepted: {
    moves: ['acceptMessages'],
    standing: atOnce('queued'),
    words: (inputs) =>
      'not_noted' in inputs
        ? 'Accepted by an earlier version, which noted no decisions.'
        : `Accepted${dayWords(inputs)}.`,
    next: 'It is delivered at once.',
    docs: `${WARMUP}#the-curve`,
  },
  warmup_cap: {
    moves: ['acceptMessages', 'deferAgain'],
    standing: untilMidnight,
    words: (inputs, until) => `Waits until ${until}: ${capWords(inputs)}.`,
    next: RELEASE_NEXT,
    docs: `${WARMUP}#the-curve`,
  },
  esp_cap: {
    moves: ['acceptMessages', 'deferForRoute'],
    standing: untilMidnight,
    words: (inputs, until) => `Waits until ${until}: ${routeWords(inputs)}.`,
    next: RELEASE_NEXT,
    docs: `${WARMUP}#routes-esps-and-their-sub-caps`,
  },
  scheduled: {
    moves: ['acceptMessages', 'rescheduleWaiting'],
    standing: ({ inputs }) => ({ state: 'deferred', until: timeOf(inputs, 'scheduled_at') }),
    words: (_, until) => `Scheduled for ${until}.`,
    next: 'It is released then, as far as the cap of that day allows. Until then it can be cancelled or moved.',
    docs: `${WARMUP}#the-day`,
  },
  brake: {
    moves: ['acceptMessages', 'deferAgain', 'recordOutcomes'],
    standing: postponedOrMidnight,
    waitsUntil: ({ at }) => nextUtcMidnight(at),
    words: (inputs, until) => `Waits until ${until}: ${brakeWords(inputs)}.`,
    next: (inputs) =>
      `It goes on then, or as soon as the brake is released.${inputs['brake'] === 'all' ? ' Until then one transactional message a minute is sent.' : ''}`,
    docs: `${DELIVERABILITY}#the-same-day-brake`,
  },
  sender_rules: {
    moves: ['acceptMessages', 'deferAgain'],
    standing: untilMidnight,
    words: (inputs, until) =>
      `Waits until ${until}: the sending domain has no DMARC record, and ${'bulk_limit' in inputs ? countWords(inputs, 'bulk_used', 'bulk_limit') : 'all'} campaign messages of today without one are used.`,
    next: 'It goes on then, or within seconds after a DNS check finds the record.',
    docs: `${DELIVERABILITY}#campaign-mail-without-dmarc-waits`,
  },
  domain_paused: {
    moves: ['deferAgain', 'recordOutcomes'],
    standing: heldOrPostponed,
    waitsUntil: () => null,
    words: (inputs) =>
      `Waits: the sending domain ${
        inputs['status'] === 'verified'
          ? 'is paused'
          : `is not verified (${textOf(inputs, 'status', 'its records were not found')})`
      }.`,
    next: 'It goes on when the domain is resumed or verified again, and expires as usual.',
    docs: `${WARMUP}#pause-resume-override`,
  },
  tenant_suspended: {
    moves: ['deferAgain', 'recordOutcomes'],
    standing: heldOrPostponed,
    waitsUntil: () => null,
    words: () => 'Waits: the account is suspended.',
    next: 'It goes on when the operator of this service reactivates the account, and expires as usual.',
    docs: 'docs/operating.md#suspend-a-tenant',
  },
  released: {
    moves: ['releaseDeferred'],
    standing: ({ at, inputs }) =>
      'retry_at' in inputs
        ? { state: 'deferred', until: timeOf(inputs, 'retry_at') }
        : { state: 'queued', until: at },
    words: (inputs) => `Released${dayWords(inputs)}.`,
    next: 'It is delivered at once, or when its next attempt is due.',
    docs: 'docs/flow.md#release',
  },
  day_over: {
    moves: ['refundEarlierDays'],
    standing: ({ at }) => ({ state: 'deferred', until: startOfDay(at) }),
    words: (inputs) =>
      `Gave its admission of ${textOf(inputs, 'admitted_day', 'an earlier day')} back: it was not delivered on that day.`,
    next: 'The release gives it one of today as soon as the cap allows.',
    docs: `${WARMUP}#the-curve`,
  },
  restored: {
    moves: ['deferRestored'],
    standing: untilMidnight,
    words: (_, until) => `Waits until ${until}: the database was restored, and it may have been sent before.`,
    next: RELEASE_NEXT,
    docs: 'docs/operating.md#what-to-back-up-what-may-be-lost',
  },
  domain_resumed: {
    moves: ['resumeUnadmitted', 'resumeAdmitted'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: the sending domain was resumed.',
    next: 'It is sent within seconds, as far as the cap of the day allows.',
    docs: `${WARMUP}#pause-resume-override`,
  },
  tenant_reactivated: {
    moves: ['resumeUnadmitted', 'resumeAdmitted'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: the account was reactivated.',
    next: 'It is sent within seconds, as far as the cap of the day allows.',
    docs: 'docs/operating.md#suspend-a-tenant',
  },
  brake_released: {
    moves: ['resumeBrakedUnadmitted', 'resumeBrakedAdmitted'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: the same-day brake does not hold it any more.',
    next: 'It is sent within seconds, as far as the cap of the day allows.',
    docs: `${DELIVERABILITY}#the-same-day-brake`,
  },
  rules_met: {
    moves: ['resumeRuled'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: the sending domain meets the sender rules.',
    next: 'It is sent within seconds, as far as the cap of the day allows.',
    docs: `${DELIVERABILITY}#campaign-mail-without-dmarc-waits`,
  },
  room_made: {
    moves: ['resumeCapped'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: the cap of the day has room for it now.',
    next: 'It is sent within seconds.',
    docs: `${WARMUP}#the-day`,
  },
  try_now: {
    moves: ['makeDue'],
    standing: atOnce('deferred'),
    words: () => 'Goes on: somebody asked to try it now.',
    next: 'It is tried within seconds, unless the sending domain or the mailbox provider may not take more.',
    docs: 'docs/find-messages.md#again-and-at-once',
  },
  campaign_paused: {
    moves: ['holdCampaignMail'],
    standing: (made) => ({ state: kept(made), until: HELD }),
    words: () => 'Waits: its campaign is paused.',
    next: 'It goes on when the campaign is resumed, and is cancelled with it.',
    docs: 'docs/campaigns.md#pause-resume-cancel',
  },
  campaign_resumed: {
    moves: ['resumeCampaignMail'],
    standing: (made) => ({ state: kept(made), until: made.at }),
    words: () => 'Goes on: its campaign was resumed.',
    next: 'It is sent within seconds, as far as the cap of the day allows.',
    docs: 'docs/campaigns.md#pause-resume-cancel',
  },
  not_noted: {
    moves: [],
    standing: ({ inputs }) => ({
      state: textOf(inputs, 'state', 'queued') as MessageState,
      until: 'until' in inputs ? timeOf(inputs, 'until') : null,
    }),
    words: (inputs, until) => {
      const what = until === '' ? `Is ${textOf(inputs, 'state', 'queued')}` : `Waits until ${until}`;
      const why = 'reason' in inputs ? ` (${textOf(inputs, 'reason')})` : '';
      return `${what}${why}: an earlier version decided it, which noted no numbers.`;
    },
    next: 'What is decided from now on is noted.',
    docs: 'docs/find-messages.md#why-it-stands-where-it-stands',
  },
  cancelled: {
    moves: ['cancelWaiting', 'cancelCampaignMail'],
    standing: ended('cancelled'),
    words: ({ by }) => (by === 'campaign' ? 'Cancelled with its campaign.' : 'Cancelled on request.'),
    next: NOTHING,
    docs: 'docs/campaigns.md#pause-resume-cancel',
  },
} as const satisfies Record<string, Rule>;
