// Parity of what is done with domains.

import { byId, type Pair, type Side } from './parity-pair.ts';

const ownDomain = byId('/mail/domains', { name: 'shop.example.com' });
const rotating = async (side: Side) => {
  const { id } = await ownDomain(side);
  await side.rest('POST', `/mail/domains/${id}/dkim-rotation`);
  return { id };
};

/** Sending domains and their keys. */
export const DOMAIN_PAIRS: readonly Pair[] = [
  {
    mutation: 'createDomain',
    route: 'POST /mail/domains',
    good: async () => ({ name: 'shop.example.com' }),
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'updateDomain',
    route: 'PATCH /mail/domains/{id}',
    good: async (side) => ({
      ...(await ownDomain(side)),
      inboundEnabled: false,
      spamPolicy: 'refuse',
      cfblEnabled: true,
      transactionalReserve: 20,
      brakeEnabled: false,
      senderRulesEnabled: false,
      pool: null,
    }),
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'verifyDomain',
    route: 'POST /mail/domains/{id}/verify',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'releaseDomainBrake',
    route: 'POST /mail/domains/{id}/brake/release',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'deleteDomain',
    route: 'DELETE /mail/domains/{id}',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'rotateDkim',
    route: 'POST /mail/domains/{id}/dkim-rotation',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'cancelDkimRotation',
    route: 'DELETE /mail/domains/{id}/dkim-rotation',
    good: rotating,
    read: '/mail/domains/{id}',
  },
];
