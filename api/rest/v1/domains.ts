// /mail/domains: the domains that a tenant sends from.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
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
import { preflightDomain as preflight } from '../../../core/preflight/preflight.ts';
import { releaseBrake } from '../../../core/warmup/release-brake.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { domainView, toDomainView } from './domain-view.ts';
import { preflightView, toPreflightView } from './preflight-view.ts';

const GROUP = 'Domains';
const params = z.object({ id: idInput('dom') });

/** POST /mail/domains */
export const createDomain = defineRoute(
  {
    operationId: 'createDomain',
    method: 'POST',
    path: '/mail/domains',
    access: 'domains:write',
    group: GROUP,
    summary: 'Add a sending domain',
    description:
      'Returns the DNS records to publish. 409 if another account has verified the name, or this account already has ' +
      'it. If two accounts add the same name, the first to verify it gets it.',
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
    operationId: 'listDomains',
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
    operationId: 'getDomain',
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

/** GET /mail/domains/{id}/preflight */
export const preflightDomain = defineRoute(
  {
    operationId: 'preflightDomain',
    method: 'GET',
    path: '/mail/domains/{id}/preflight',
    access: 'domains:read',
    group: GROUP,
    summary: 'Check a domain against the sender rules',
    description:
      'What mailbox providers ask of senders, checked in DNS now (six seconds at most). Records that DNS does not answer ' +
      'for are `warn`. Changes nothing.',
    params,
    response: preflightView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toPreflightView(await preflight(deps, caller.tenantId, id)),
  }),
);

/** PATCH /mail/domains/{id} */
export const changeDomain = defineRoute(
  {
    operationId: 'changeDomain',
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
    operationId: 'deleteDomain',
    method: 'DELETE',
    path: '/mail/domains/{id}',
    access: 'domains:write',
    group: GROUP,
    summary: 'Delete a sending domain',
    description:
      'Sending from it and receiving for it stop. If it is added again, it starts at tier 0; a pause or hold ' +
      'of its warm-up stays.',
    params,
    response: deletedAnswer,
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
    operationId: 'verifyDomain',
    method: 'POST',
    path: '/mail/domains/{id}/verify',
    access: 'domains:write',
    group: GROUP,
    summary: 'Check the DNS records now',
    description:
      'A domain is verified once its DKIM key and return path are found. The `problem` of a record says what is wrong ' +
      'with it. All domains are checked again every day.',
    params,
    response: domainView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => ({
    data: toDomainView(await verify(deps, by, caller.tenantId, id)),
  }),
);

/** POST /mail/domains/{id}/brake/release */
export const releaseDomainBrake = defineRoute(
  {
    operationId: 'releaseDomainBrake',
    method: 'POST',
    path: '/mail/domains/{id}/brake/release',
    access: 'domains:write',
    group: GROUP,
    summary: 'Release the same-day brake',
    description:
      'Mail that waits for it goes on within seconds, under the cap. The test begins again with what is sent from now on; it ' +
      'decides nothing before another 100 attempts. Does nothing when the brake is off.',
    params,
    response: domainView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await releaseBrake(deps, by, caller.tenantId, id);
    return { data: toDomainView(await get(deps, caller.tenantId, id)) };
  },
);
