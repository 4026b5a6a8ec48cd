// The same-day brake of a domain as text.

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';

type Brake = Pick<DomainDetailFragment, 'brakeEnabled'> & {
  brake: Pick<DomainDetailFragment['brake'], 'state'>;
};

/** The state of a brake in a few words, and what it means. */
export function brakeStatus({ brake: { state }, brakeEnabled }: Brake): {
  text: string;
  tone: 'good' | 'warn' | 'bad';
} {
  switch (state) {
    case 'bulk':
      return { text: 'holding campaigns', tone: 'bad' };
    case 'all':
      return { text: 'holding all', tone: 'bad' };
    case 'off':
      return brakeEnabled ? { text: 'armed', tone: 'good' } : { text: 'switched off', tone: 'warn' };
    default:
      return state satisfies never;
  }
}

/** The list with the messages that moved a brake, and the text of a link to it. */
export function brakeCauses(
  domain: string,
  measure: NonNullable<DomainDetailFragment['brake']['numbers']>['measure'],
): { text: string; href: string } {
  switch (measure) {
    case 'bounces':
    case 'blocks':
      return {
        text: 'Show the bounced messages of this domain',
        href: `/messages?status=bounced&domain=${encodeURIComponent(domain)}`,
      };
    case 'complaints':
      return { text: 'Show the complaints', href: '/events?types=complaint' };
    default:
      return measure satisfies never;
  }
}
