// /mail/domains/{id}/dkim-rotation: a new signing key beside the old one, until its record was seen.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { cancelDkimRotation, startDkimRotation } from '../../../core/domain/rotate-dkim.ts';
import { deletedAnswer } from '../deleted.ts';
import { defineRoute } from '../route.ts';
import { domainView, toDomainView } from './domain-view.ts';

const GROUP = 'Domains';
const params = z.object({ id: idInput('dom') });

/** POST /mail/domains/{id}/dkim-rotation */
export const rotateDomainDkim = defineRoute(
  {
    operationId: 'rotateDomainDkim',
    method: 'POST',
    path: '/mail/domains/{id}/dkim-rotation',
    access: 'domains:write',
    group: GROUP,
    summary: 'Start a DKIM key rotation',
    description:
      'Creates a key with a new selector. Publish its record next to the old one: the new key signs as soon as a DNS ' +
      'check finds it. Keep the old record for a few days. 409 if a rotation is already in progress.',
    params,
    response: domainView,
    status: 201,
  },
  async ({ deps, caller, by, params: { id } }) => ({
    data: toDomainView(await startDkimRotation(deps, by, caller.tenantId, id)),
  }),
);

/** DELETE /mail/domains/{id}/dkim-rotation */
export const cancelDomainDkim = defineRoute(
  {
    operationId: 'cancelDomainDkimRotation',
    method: 'DELETE',
    path: '/mail/domains/{id}/dkim-rotation',
    access: 'domains:write',
    group: GROUP,
    summary: 'Cancel a DKIM key rotation',
    description: 'Deletes the new key if it does not sign yet. Does nothing if there is none.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await cancelDkimRotation(deps, by, caller.tenantId, id);
    return { data: { id: toId('dom', id), deleted: true as const } };
  },
);
