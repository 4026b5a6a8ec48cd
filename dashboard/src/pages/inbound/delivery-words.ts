// What became of a message at the webhook, as people say it.

import type { InboundRowFragment } from '../../gen/pages/inbound/inbound.ts';
import type { Tone } from '../../ui/badge.tsx';

type Delivery = Pick<InboundRowFragment['deliveries'][number], 'state' | 'attempts'>;

/** The state of one delivery in a few words. */
export function deliveryState({ state, attempts }: Delivery): { tone: Tone; text: string } {
  switch (state) {
    case 'accepted':
      return { tone: 'good', text: 'delivered' };
    case 'dead':
      return { tone: 'bad', text: 'given up' };
    case 'pending':
      return attempts === 0 ? { tone: 'note', text: 'waiting' } : { tone: 'warn', text: 'tried, will retry' };
    default:
      return { tone: 'neutral', text: state };
  }
}

/** "1 try", "3 tries". */
export function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}
