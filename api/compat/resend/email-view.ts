// A message of ours as an email of Resend: one for all recipients of a submission, under the id of the first.

import { toId } from '../../../core/base/ids.ts';
import { makeMessageId } from '../../../core/mail/compose/message-id.ts';
import {
  addressesOf,
  type GroupRecipient,
  type MessageEvent,
  type MessageSummary,
} from '../../../core/message/message-store.ts';

/** What `last_event` can be. */
type LastEvent =
  | 'bounced'
  | 'canceled'
  | 'clicked'
  | 'complained'
  | 'delivered'
  | 'delivery_delayed'
  | 'failed'
  | 'opened'
  | 'queued'
  | 'scheduled'
  | 'sent'
  | 'suppressed';

/** What a list shows of an email. */
export function toEmail(message: MessageSummary, recipients: GroupRecipient[], events: MessageEvent[]) {
  const { headerTo, cc, bcc } = addressesOf(message.to, recipients);
  return {
    id: toId('msg', message.id),
    message_id: makeMessageId(message.groupId ?? message.id, message.domain),
    from: message.from,
    to: headerTo,
    cc,
    bcc,
    subject: message.subject,
    created_at: message.createdAt.toISOString(),
    scheduled_at: message.deferReason === 'scheduled' ? (message.deferredUntil?.toISOString() ?? null) : null,
    last_event: lastEvent(message, events),
  };
}

// Of several recipients that of the first. After a delivery the reader's last step counts, the gravest first.
function lastEvent(message: MessageSummary, events: MessageEvent[]): LastEvent {
  const { status } = message;
  switch (status) {
    case 'queued':
      return 'queued';
    case 'sending':
      return 'sent';
    case 'deferred':
      return waitingEvent(message);
    case 'delivered':
      return readersEvent(new Set(events.map(({ type }) => type)));
    case 'bounced':
      return 'bounced';
    case 'expired':
      return 'failed';
    case 'dropped':
      return message.reason === 'suppressed' ? 'suppressed' : 'failed';
    case 'cancelled':
      return 'canceled';
    default:
      return status satisfies never;
  }
}

// What waits for a day with capacity under the cap, or for its domain, is in the queue; `delivery_delayed` is the receiver's
// doing.
function waitingEvent({ deferReason }: MessageSummary): LastEvent {
  if (deferReason === 'scheduled') return 'scheduled';
  return deferReason === 'remote_4xx' || deferReason === 'network' ? 'delivery_delayed' : 'queued';
}

function readersEvent(types: Set<string>): LastEvent {
  if (types.has('complaint')) return 'complained';
  if (types.has('click')) return 'clicked';
  return types.has('open') ? 'opened' : 'delivered';
}
