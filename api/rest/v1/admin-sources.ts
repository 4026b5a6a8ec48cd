// GET /admin/sources: the addresses that mail leaves from, for super-admins.

import { z } from 'zod';

import { readSources, type SourceState } from '../../../core/source/sources.ts';
import { atHome } from '../../deps.ts';
import { defineRoute } from '../route.ts';

const sourceView = z
  .object({
    pool: z.string(),
    address: z.string(),
    hostname: z.string().meta({ description: 'its name in EHLO' }),
    warmup: z
      .object({
        tier: z.int(),
        cap: z.int().meta({ description: 'most messages of the day' }),
        used: z.int().meta({ description: 'of it, what senders have taken' }),
        day: z.iso.date().meta({ description: 'UTC' }),
      })
      .nullable()
      .meta({ description: 'null of an address that is not new' }),
    rests: z
      .array(
        z.object({
          provider: z.string(),
          until: z.iso.datetime(),
          reply: z.string().meta({ description: 'the refusal, without what differs between replies' }),
        }),
      )
      .meta({ description: 'the mailbox providers that refuse it, to which it sends nothing until then' }),
  })
  .meta({ id: 'Source', description: 'An address that mail leaves from' });

/** GET /admin/sources */
export const listSources = defineRoute(
  {
    operationId: 'listSources',
    method: 'GET',
    path: '/admin/sources',
    access: 'admin',
    group: 'Administration',
    summary: 'List the addresses that mail leaves from',
    description:
      'Those of EGRESS_POOLS in its order: none when all mail leaves from the system’s own address.',
    response: z.object({ items: z.array(sourceView) }),
    status: 200,
  },
  async ({ deps }) => ({ data: { items: (await readSources(atHome(deps))).map(toSourceView) } }),
);

function toSourceView({ rests, ...source }: SourceState): z.input<typeof sourceView> {
  return { ...source, rests: rests.map((rest) => ({ ...rest, until: rest.until.toISOString() })) };
}
