// Texts for webhook deliveries.

import type { InboundRowFragment } from '../../gen/pages/inbound/inbound.ts';
import type { Tone } from '../../ui/badge.tsx';

type Delivery = Pick<InboundRowFragment['deliveries'][number], 'state' | 'attempts'>;

/** The status of one delivery. */
export function deliveryStatus({ state, attempts }: Delivery): { tone: Tone; text: string } {
  switch (state) {
    case 'accepted':
      return { tone: 'good', text: 'delivered' };
    case 'dead':
      return { tone: 'bad', text: 'failed' };
    case 'pending':
      return attempts === 0 ? { tone: 'note', text: 'waiting' } : { tone: 'warn', text: 'retrying' };
    default:
      return { tone: 'neutral', text: state };
  }
}

/** "1 attempt", "3 attempts". */
export function attemptsText(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}
