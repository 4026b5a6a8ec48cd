// Live updates and the "there is something to send" wake-up, over NATS core: told once, to whoever listens now.

import type { Nats } from './nats.ts';

/** What live views hear of. The subject is `live.<tenant uuid>.<topic>`. */
export type LiveTopic = 'messages' | 'events' | 'warmup' | 'campaigns';

/** Tells the live views of one tenant. */
export function publishLive(nats: Nats, tenantId: string, topic: LiveTopic, json: unknown): void {
  nats.publish(`live.${tenantId}.${topic}`, json);
}

/** Hears one topic of one tenant. Returns how to stop. */
export function subscribeLive(
  nats: Nats,
  tenantId: string,
  topic: LiveTopic,
  listener: (json: unknown) => void,
): () => void {
  return nats.subscribe(`live.${tenantId}.${topic}`, listener);
}

const READY = 'sender.ready';

/** Tells all senders that messages are due: after they were accepted without a place in hand, or released. */
export function publishReady(nats: Nats): void {
  nats.publish(READY, {});
}

/** Hears that messages are due. Returns how to stop. */
export function subscribeReady(nats: Nats, listener: () => void): () => void {
  return nats.subscribe(READY, listener);
}
