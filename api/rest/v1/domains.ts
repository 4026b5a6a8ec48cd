// /mail/domains: the domains that a tenant sends from.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import { domainChange, newDomain } from '../../../core/domain/domain-input.ts';
import {
  createDomain as create,
  deleteDomain as remove,
  getDomain as get,
  listDomains as list,
  patchDomain,
} from '../../../core/domain/domains.ts';
import { verifyDomain as verify } from '../../../core/domain/verify-domain.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, idParam, jsonBody } from '../route.ts';
import { domainView, toDomainView } from './domain-view.ts';

const GROUP = 'Domains';
const params = z.object({ id: idParam('dom') });

/** POST /mail/domains */
export const createDomain = defineRoute(
  {
    method: 'POST',
    path: '/mail/domains',
    access: 'domains:write',
    group: GROUP,
    summary: 'Add a sending domain',
    description:
      'Answers the DNS records to publish. A name that another account has verified, or that this account holds ' +
      'already, is 409; of two accounts that wait for one name the first to verify has it.',
    body: jsonBody(newDomain),
    response: domainView,
    status: 201,
    example: { name: 'example.com' },
  },
  async ({ deps, caller, by, body }) => ({
    data: toDomainView(await create(deps, by, caller.tenantId, body.name)),
  }),
);

/** GET /mail/domains */
export const listDomains = defineRoute(
  {
    method: 'GET',
    path: '/mail/domains',
    access: 'domains:read',
    group: GROUP,
    summary: 'List sending domains',
    query: z.strictObject(pageQuery),
    response: pageOf(domainView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await list(deps, caller.tenantId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toDomainView) };
  },
);

/** GET /mail/domains/{id} */
export const getDomain = defineRoute(
  {
    method: 'GET',
    path: '/mail/domains/{id}',
    access: 'domains:read',
    group: GROUP,
    summary: 'Read a sending domain',
    params,
    response: domainView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toDomainView(await get(deps, caller.tenantId, id)),
  }),
);

/** PATCH /mail/domains/{id} */
export const changeDomain = defineRoute(
  {
    method: 'PATCH',
    path: '/mail/domains/{id}',
    access: 'domains:write',
    group: GROUP,
    summary: 'Change the settings of a domain',
    params,
    body: jsonBody(domainChange),
    response: domainView,
    status: 200,
    example: { transactional_reserve: 20 },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toDomainView(await patchDomain(deps, by, caller.tenantId, id, body)),
  }),
);

/** DELETE /mail/domains/{id} */
export const deleteDomain = defineRoute(
  {
    method: 'DELETE',
    path: '/mail/domains/{id}',
    access: 'domains:write',
    group: GROUP,
    summary: 'Delete a sending domain',
    description:
      'Nothing more is sent from it or taken in for it. Added again it has the warm-up state that it had.',
    params,
    response: z.object({ id: z.string(), deleted: z.literal(true) }),
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await remove(deps, by, caller.tenantId, id);
    return { data: { id: toId('dom', id), deleted: true as const } };
  },
);

/** POST /mail/domains/{id}/verify */
export const verifyDomain = defineRoute(
  {
    method: 'POST',
    path: '/mail/domains/{id}/verify',
    access: 'domains:write',
    group: GROUP,
    summary: 'Check the DNS records now',
    description:
      'Verified once the DKIM key and the return path are found. What is wrong with a record stands in its ' +
      '`problem`. All domains are looked at again every day.',
    params,
    response: domainView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => ({
    data: toDomainView(await verify(deps, by, caller.tenantId, id)),
  }),
);
