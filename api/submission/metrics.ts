// What submission counts.

import { Counter } from 'prom-client';

import type { Registry } from '../../core/base/metrics.ts';

/** Counts one reply: `250 2.0.0` for an accepted message, otherwise what was refused with. */
export type CountReply = (reply: string) => void;

/** Declares the counter on a registry. */
export function createReplyCounter(registry: Registry): CountReply {
  const replies = new Counter({
    name: 'postrider_submission_replies_total',
    help: 'Messages that SMTP submission accepted (250 2.0.0), and commands that it refused, by reply code',
    labelNames: ['reply'] as const,
    registers: [registry],
  });
  return (reply) => replies.inc({ reply });
}
