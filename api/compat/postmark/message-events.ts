// What happened to a message as Postmark's MessageEvents.

import type { MessageEvent } from '../../../core/message/message-store.ts';

/** The event; none for what Postmark has no word for. */
export function toMessageEvent({ type, occurredAt, data }: MessageEvent, recipient: string) {
  const described = describe(type, (name) => (typeof data[name] === 'string' ? data[name] : ''));
  return described ? [{ Recipient: recipient, ReceivedAt: occurredAt.toISOString(), ...described }] : [];
}

type Described = { Type: string; Details: object } | null;

function describe(type: MessageEvent['type'], text: (name: string) => string): Described {
  const delivery = { DeliveryMessage: text('diagnostic'), DestinationServer: text('mx'), DestinationIP: '' };
  switch (type) {
    case 'delivered':
      return { Type: 'Delivered', Details: delivery };
    case 'deferred':
      return {
        Type: 'Transient',
        Details: { ...delivery, DeliveryMessage: text('diagnostic') || text('reason') },
      };
    case 'bounced':
    case 'expired':
      return { Type: 'Bounced', Details: { Summary: text('diagnostic') } };
    case 'open':
      return {
        Type: 'Opened',
        Details: { Summary: `Opened with ${text('user_agent') || 'an unknown client'}` },
      };
    case 'click':
      return {
        Type: 'LinkClicked',
        Details: { Summary: `Clicked ${text('url')}`, Link: text('url'), ClickLocation: 'HTML' },
      };
    case 'unsubscribe':
      return { Type: 'SubscriptionChanged', Details: { Origin: 'Recipient', SuppressSending: 'True' } };
    case 'complaint':
      return { Type: 'SpamComplaint', Details: { Summary: text('feedback_type') } };
    case 'accepted':
    case 'dropped':
    case 'cancelled':
      return null;
    default:
      return type satisfies never;
  }
}
