// The addresses that mail leaves from, for the people who run the service.

import { readSources, type SourceState } from '../../../core/source/sources.ts';
import { atHome } from '../../deps.ts';
import type { Builder } from '../builder.ts';

/** Adds the types and `sources`, for super-admins. */
export function addSourceTypes(builder: Builder): void {
  const warmup = builder.objectRef<NonNullable<SourceState['warmup']>>('SourceWarmup').implement({
    description: 'How much a new address may send today',
    fields: (t) => ({
      tier: t.exposeInt('tier'),
      cap: t.exposeInt('cap', { description: 'Most messages of the day' }),
      used: t.exposeInt('used', { description: 'Of the cap, what senders have taken' }),
      day: t.exposeString('day', { description: 'UTC' }),
    }),
  });
  const rest = builder.objectRef<SourceState['rests'][number]>('SourceRest').implement({
    description: 'A mailbox provider that refuses an address, which sends nothing there until then',
    fields: (t) => ({
      provider: t.exposeString('provider'),
      until: t.expose('until', { type: 'DateTime' }),
      reply: t.exposeString('reply', { description: 'The refusal, without what differs between replies' }),
    }),
  });
  const source = builder.objectRef<SourceState>('Source').implement({
    description: 'An address that mail leaves from',
    fields: (t) => ({
      pool: t.exposeString('pool'),
      address: t.exposeString('address'),
      hostname: t.exposeString('hostname', { description: 'Its name in EHLO' }),
      warmup: t.expose('warmup', {
        type: warmup,
        nullable: true,
        description: 'Null of an address that is not new',
      }),
      rests: t.expose('rests', { type: [rest] }),
    }),
  });
  builder.queryField('sources', (t) =>
    t.field({
      type: [source],
      description: 'The addresses of EGRESS_POOLS; super-admins only',
      authScopes: { superAdmin: true },
      resolve: (_root, _args, { deps }) => readSources(atHome(deps)),
    }),
  );
}
