// What a sender counted of accepting, as Prometheus reads it.

import type { Service } from './service.ts';

/** Messages that a sender has answered so far, in all buckets and streams. */
export async function accepted({ metricsUrl }: Service): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const sums = text.matchAll(/^postrider_accept_batch_messages_sum\{.*\} (\d+)$/gm);
  return [...sums].reduce((total, [, sum]) => total + Number(sum), 0);
}
