// What senders have learned about mailbox providers, as they keep it in Redis (sender/provider/ask.lua).

import { join } from 'node:path';

import { loadScript, RedisAway, type RedisConnection } from '../clients/redis.ts';
import type { MailboxProvider } from './provider-table.ts';

/** The limits of all senders together for one provider. */
export interface ProviderLimits {
  connections: number;
  perMinute: number;
  /** The reply that lowered them last or asked for a pause, without what differs; null at the values of the table. */
  learnedFrom: string | null;
  /** Until when the provider wants no mail from us, as `learnedFrom` says; null while it takes mail. */
  suspendedUntil: Date | null;
}

const script = loadScript(join(import.meta.dirname, 'limits.lua'));

/** The keys of a provider: what is known of it, and its senders. They share a hash slot. */
export function providerKeys(keyPrefix: string, name: string): [string, string] {
  const key = `${keyPrefix}:provider:{${name}}`;
  return [key, `${key}:senders`];
}

/** The limits that hold now; those of the table when nothing was learned, or Redis cannot say. */
export async function readLimits(
  redis: RedisConnection,
  keyPrefix: string,
  provider: MailboxProvider,
): Promise<ProviderLimits> {
  const start = {
    connections: provider.connections,
    perMinute: provider.perMinute,
    learnedFrom: null,
    suspendedUntil: null,
  };
  try {
    const reply = await redis.run(script, [providerKeys(keyPrefix, provider.name)[0]], []);
    const [connections, perMinute, learnedFrom, untilMs] = reply as [string?, string?, string?, number?];
    if (!connections || !perMinute) return start;
    return {
      connections: Number(connections),
      perMinute: Number(perMinute),
      learnedFrom: learnedFrom ?? null,
      suspendedUntil: untilMs ? new Date(untilMs) : null,
    };
  } catch (error) {
    if (!(error instanceof RedisAway)) throw error;
    return start;
  }
}
