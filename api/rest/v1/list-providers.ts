// GET /reputation/providers: what the tenant's mail to each mailbox provider came to, and how fast we may send there.

import { z } from 'zod';

import { readProviderFigures, type ProviderFigures } from '../../../core/mailbox-provider/figures.ts';
import { PROVIDER_WINDOW_DAYS, TOP_REPLIES } from '../../../core/mailbox-provider/figures-store.ts';
import { defineRoute } from '../route.ts';

const providerView = z
  .object({
    provider: z
      .string()
      .meta({ description: 'such as gmail; the recipient’s domain counts as the one that its MX leads to' }),
    sent: z.int().meta({ description: 'messages with their first attempt in the window' }),
    delivered: z.int(),
    deferred: z.int().meta({ description: 'attempts after which the provider asked to retry' }),
    bounced: z.int(),
    complained: z.int(),
    limits: z
      .object({
        connections: z.int().meta({ description: 'most SMTP connections at a time' }),
        per_minute: z.int().meta({ description: 'most messages a minute' }),
        learned_from: z.string().nullable().meta({
          description:
            'the reply that lowered them last, or asked for a pause; null at the values with which we begin',
        }),
        suspended_until: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'until when the provider wants no mail from us; null while it takes mail' }),
      })
      .meta({ description: 'of this service for all of its customers together' }),
    top_replies: z
      .array(z.object({ reply: z.string(), count: z.int() }))
      .max(TOP_REPLIES)
      .meta({
        description:
          'the most frequent refusals, without addresses, ids and links; `other` are those beyond the 20 of a day',
      }),
  })
  .meta({
    id: 'ProviderFigures',
    description: `Mail to one mailbox provider over ${PROVIDER_WINDOW_DAYS} UTC days`,
  });

/** GET /reputation/providers */
export const listProviders = defineRoute(
  {
    operationId: 'listProviders',
    method: 'GET',
    path: '/reputation/providers',
    access: 'reputation:read',
    group: 'Reputation',
    summary: 'Read what mail to each mailbox provider came to',
    description: `Of the last ${PROVIDER_WINDOW_DAYS} UTC days, most mail first. Mail through a relay and mail to nobody known is left out.`,
    response: z.object({ items: z.array(providerView) }),
    status: 200,
  },
  async ({ deps, caller }) => ({
    data: { items: (await readProviderFigures(deps, caller.tenantId)).map(toProviderView) },
  }),
);

function toProviderView({ limits, topReplies, ...counts }: ProviderFigures): z.input<typeof providerView> {
  const { connections, perMinute, learnedFrom, suspendedUntil } = limits;
  return {
    ...counts,
    limits: {
      connections,
      per_minute: perMinute,
      learned_from: learnedFrom,
      suspended_until: suspendedUntil?.toISOString() ?? null,
    },
    top_replies: topReplies,
  };
}
