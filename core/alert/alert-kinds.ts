// What can be watched: each kind with its unit, its limits and its words. Input, documentation and the dashboard read this
// table; how a kind is measured stands in measures.ts.

import type { IdPrefix } from '../base/ids.ts';

interface KindInfo {
  /** What is watched, in one line for people. */
  description: string;
  unit: 'percent' | 'minutes' | 'days' | 'requests';
  /** What a threshold may be, and the one that is offered. */
  min: number;
  max: number;
  suggested: number;
  /** What an alert of it is about. */
  about: Extract<IdPrefix, 'dom' | 'whk' | 'key' | 'tnt'>;
  /** What somebody who gets the alert does next, and the page of the dashboard for it. */
  nextStep: string;
  page: `/${string}`;
}

/** Every kind, in the order in which they are shown. */
export const ALERT_KINDS = {
  bounce_rate: {
    description: 'Bounced of the mail sent since yesterday, 00:00 UTC (from 100 messages on)',
    unit: 'percent',
    ...{ min: 0.01, max: 100, suggested: 3, about: 'dom' },
    nextStep: 'Remove addresses that bounce, and stop campaigns to old lists.',
    page: '/reputation',
  },
  complaint_rate: {
    description: 'Reported as spam of the mail delivered since yesterday, 00:00 UTC (from 100 messages on)',
    unit: 'percent',
    ...{ min: 0.01, max: 100, suggested: 0.1, about: 'dom' },
    nextStep: 'Send only to people who asked for it, and make unsubscribing easy to find.',
    page: '/reputation',
  },
  block_rate: {
    description:
      'Refused by policy or reputation of the mail sent since yesterday, 00:00 UTC (from 100 messages on)',
    unit: 'percent',
    ...{ min: 0.01, max: 100, suggested: 2, about: 'dom' },
    nextStep: 'Read the replies of the receiving servers, and send less until they accept mail again.',
    page: '/reputation',
  },
  waiting_age: {
    description: 'Age of the oldest mail that waits for its turn; scheduled mail is not counted',
    unit: 'minutes',
    ...{ min: 1, max: 10_080, suggested: 1_440, about: 'dom' },
    nextStep: 'Look at why it waits: the cap of the day, the brake, or a sender that is down.',
    page: '/warmup',
  },
  webhook_failing: {
    description: 'Time since a webhook last worked, or that it was turned off automatically',
    unit: 'minutes',
    ...{ min: 1, max: 10_080, suggested: 30, about: 'whk' },
    nextStep: 'Look at the log of the webhook, repair the endpoint, and replay what it missed.',
    page: '/webhooks',
  },
  dns_broken: {
    description: 'Time since the DNS records of a verified domain were not found any more',
    unit: 'minutes',
    ...{ min: 0, max: 10_080, suggested: 0, about: 'dom' },
    nextStep: 'Publish the missing records as the page of the domain shows them, then check DNS.',
    page: '/domains',
  },
  key_unused: {
    description: 'Time since an API key was used',
    unit: 'days',
    ...{ min: 1, max: 730, suggested: 90, about: 'key' },
    nextStep: 'Revoke the key if nothing needs it any more.',
    page: '/api-keys',
  },
  key_refused: {
    description:
      'Requests with an API key from addresses that it does not allow, until a day passes without one: it may be leaked',
    unit: 'requests',
    ...{ min: 1, max: 1_000_000, suggested: 1, about: 'key' },
    nextStep: 'Unless the address is yours, revoke the key and create another one.',
    page: '/api-keys',
  },
  quota: {
    description: 'Used of the quota of the month',
    unit: 'percent',
    ...{ min: 1, max: 100, suggested: 80, about: 'tnt' },
    nextStep: 'At 100 % mail is refused until the first of the next month: ask for a larger plan in time.',
    page: '/',
  },
} as const satisfies Record<string, KindInfo>;

/** The name of a kind. */
export type AlertKind = keyof typeof ALERT_KINDS;

/** All names. */
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

/** What an alert says, opened or resolved. */
export interface AlertFacts {
  kind: AlertKind;
  /** The name of what it is about: a domain, the URL of a webhook, the name of a key; of the quota, the tenant's. */
  subject: string;
  value: number;
  threshold: number;
}

/** One sentence for people: "Bounce rate of example.com is 4.2 % (alert at 3 %)." */
export function alertSentence({ kind, subject, value, threshold }: AlertFacts): string {
  const { unit } = ALERT_KINDS[kind];
  const [is, at] = [amount(value, unit), amount(threshold, unit)];
  switch (kind) {
    case 'bounce_rate':
      return `The bounce rate of ${subject} is ${is} (alert at ${at}).`;
    case 'complaint_rate':
      return `The complaint rate of ${subject} is ${is} (alert at ${at}).`;
    case 'block_rate':
      return `${is} of the mail of ${subject} is blocked (alert at ${at}).`;
    case 'waiting_age':
      return `The oldest waiting mail of ${subject} has waited for ${is} (alert at ${at}).`;
    case 'webhook_failing':
      return `The webhook ${subject} has failed for ${is} (alert at ${at}).`;
    case 'dns_broken':
      return `DNS records of ${subject} have been missing or wrong for ${is}.`;
    case 'key_unused':
      return `The API key ${subject} was not used for ${is} (alert at ${at}).`;
    case 'key_refused':
      return `The API key ${subject} was refused: ${is} from addresses that it does not allow.`;
    case 'quota':
      return `${is} of the monthly quota of ${subject} is used (alert at ${at}).`;
    default:
      return kind satisfies never;
  }
}

// Two digits that mean something; minutes as hours and days once they are many.
function amount(value: number, unit: KindInfo['unit']): string {
  switch (unit) {
    case 'percent':
      return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} %`;
    case 'minutes':
      if (value >= 2_880) return `${Math.floor(value / 1_440)} days`;
      return value >= 120 ? `${Math.floor(value / 60)} hours` : counted(value, 'minute');
    case 'days':
      return counted(value, 'day');
    case 'requests':
      return counted(value, 'request');
    default:
      return unit satisfies never;
  }
}

function counted(value: number, one: string): string {
  const whole = Math.floor(value);
  return `${whole} ${whole === 1 ? one : `${one}s`}`;
}
