// Live updates and the "there is something to send" wake-up, over NATS core: published once, nothing is kept for later.

import { fromId } from '../base/ids.ts';
import type { Nats } from './nats.ts';

/** What live views are notified of. The subject is `live.<tenant uuid>.<topic>`; `log` says that followers may read on. */
export type LiveTopic = 'messages' | 'events' | 'log' | 'warmup' | 'campaigns';

/** Topics of what people change. */
export type ChangeTopic = Exclude<LiveTopic, 'events' | 'log'>;

/** Publishes a change to the live views of one tenant. */
export function publishLive(
  nats: Pick<Nats, 'publish'>,
  tenantId: string,
  topic: LiveTopic,
  json: unknown,
): void {
  nats.publish(`live.${tenantId}.${topic}`, json);
}

/** Tells the live views of one tenant that somebody changed what this outside id names. */
export function publishChange(
  nats: Pick<Nats, 'publish'>,
  tenantId: string,
  topic: ChangeTopic,
  id: string,
): void {
  switch (topic) {
    case 'campaigns':
      return publishLive(nats, tenantId, topic, { campaign_id: id });
    case 'warmup':
      return publishLive(nats, tenantId, topic, { domain_id: id });
    case 'messages':
      return publishLive(nats, tenantId, topic, { changes: [{ id: fromId('msg', id) }] });
    default:
      return topic satisfies never;
  }
}

/** Subscribes to one topic of one tenant. Returns the function that unsubscribes. */
export function subscribeLive(
  nats: Nats,
  tenantId: string,
  topic: LiveTopic,
  listener: (json: unknown) => void,
): () => void {
  return nats.subscribe(`live.${tenantId}.${topic}`, listener);
}

const BRAKED = 'sender.braked';

/** Tells all senders that the brake of a domain moved: they need not wait until they look again. */
export function publishBraked(
  nats: Pick<Nats, 'publish'>,
  domain: { tenantId: string; domainId: string },
): void {
  nats.publish(BRAKED, { tenantId: domain.tenantId, domainId: domain.domainId });
}

/** Subscribes to moves of brakes. Returns the function that unsubscribes. */
export function subscribeBraked(
  nats: Nats,
  listener: (domain: { tenantId: string; domainId: string }) => void,
): () => void {
  return nats.subscribe(BRAKED, (json) => {
    const { tenantId, domainId } = (json ?? {}) as { [key: string]: unknown };
    if (typeof tenantId === 'string' && typeof domainId === 'string') listener({ tenantId, domainId });
  });
}

const READY = 'sender.ready';

/** Wakes all senders: messages of a bucket are due, because they were accepted beyond a sender's capacity, or released. */
export function publishReady(nats: Nats, bucket: string): void {
  nats.publish(READY, { bucket });
}

/** Subscribes to the wake-up that messages are due; undefined is any bucket. Returns the function that unsubscribes. */
export function subscribeReady(nats: Nats, listener: (bucket: string | undefined) => void): () => void {
  return nats.subscribe(READY, (json) => {
    const { bucket } = (json ?? {}) as { bucket?: unknown };
    listener(typeof bucket === 'string' ? bucket : undefined);
  });
}
