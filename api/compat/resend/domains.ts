// domains.create, get, list, verify, update and remove.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { RETURN_PATH_LABEL, type DomainRecord, type DomainView } from '../../../core/domain/domain.ts';
import { newDomain } from '../../../core/domain/domain-input.ts';
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  patchDomain,
} from '../../../core/domain/domains.ts';
import { verifyDomain } from '../../../core/domain/verify-domain.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineEndpoint } from '../service.ts';
import { listQuery, toList, toPart } from './lists.ts';

const GROUP = 'Domains';
const params = z.object({ id: idInput('dom') });

// What has no counterpart is refused where it would change the meaning. `region` has none and changes nothing: ignored.
const settings = z.object({
  open_tracking: z.literal(true, { error: 'is per message here: see the documentation' }).nullish(),
  click_tracking: z.literal(true, { error: 'is per message here: see the documentation' }).nullish(),
  tls: z.literal('opportunistic', { error: 'must be opportunistic' }).nullish(),
  capabilities: z
    .object({
      sending: z.literal('enabled', { error: 'cannot be switched off' }).nullish(),
      receiving: z.enum(['enabled', 'disabled']).nullish(),
    })
    .nullish(),
  tracking_subdomain: z.literal('track', { error: 'must be track' }).nullish(),
});

const created = settings.extend({
  name: newDomain.shape.name,
  custom_return_path: z.literal(RETURN_PATH_LABEL, { error: `must be ${RETURN_PATH_LABEL}` }).nullish(),
});

/** POST /domains */
const create = defineEndpoint(
  {
    method: 'POST',
    path: '/domains',
    access: 'domains:write',
    group: GROUP,
    body: jsonBody(created),
    status: 201,
  },
  async ({ deps, caller: { tenantId }, by, body: { name, ...asked } }) => {
    const domain = await createDomain(deps, by, tenantId, name);
    const inbound = inboundEnabled(asked);
    const shown =
      inbound === undefined
        ? domain
        : await patchDomain(deps, by, tenantId, domain.id, inboundChange(inbound));
    return { data: { ...toDomain(shown), records: toRecords(shown) } };
  },
);

/** GET /domains */
const list = defineEndpoint(
  { method: 'GET', path: '/domains', access: 'domains:read', group: GROUP, query: listQuery, status: 200 },
  async ({ deps, caller, query }) => {
    const part = toPart(query, 'dom');
    return { data: toList(await listDomains(deps, caller.tenantId, part.page), part, toDomain) };
  },
);

/** GET /domains/{id} */
const get = defineEndpoint(
  { method: 'GET', path: '/domains/{id}', access: 'domains:read', group: GROUP, params, status: 200 },
  async ({ deps, caller, params: { id } }) => {
    const domain = await getDomain(deps, caller.tenantId, id);
    return { data: { ...toDomain(domain), records: toRecords(domain) } };
  },
);

/** POST /domains/{id}/verify */
const verify = defineEndpoint(
  {
    method: 'POST',
    path: '/domains/{id}/verify',
    access: 'domains:write',
    group: GROUP,
    params,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await verifyDomain(deps, by, caller.tenantId, id);
    return { data: { object: 'domain', id: toId('dom', id) } };
  },
);

/** PATCH /domains/{id} */
const update = defineEndpoint(
  {
    method: 'PATCH',
    path: '/domains/{id}',
    access: 'domains:write',
    group: GROUP,
    params,
    body: jsonBody(settings),
    status: 200,
  },
  async ({ deps, caller, by, params: { id }, body }) => {
    const inbound = inboundEnabled(body);
    await patchDomain(deps, by, caller.tenantId, id, inbound === undefined ? {} : inboundChange(inbound));
    return { data: { object: 'domain', id: toId('dom', id) } };
  },
);

/** DELETE /domains/{id} */
const remove = defineEndpoint(
  { method: 'DELETE', path: '/domains/{id}', access: 'domains:write', group: GROUP, params, status: 200 },
  async ({ deps, caller, by, params: { id } }) => {
    await deleteDomain(deps, by, caller.tenantId, id);
    return { data: { object: 'domain', id: toId('dom', id), deleted: true } };
  },
);

/** What Resend's `domains` does. */
export const DOMAIN_ROUTES = [create, list, get, verify, update, remove];

function inboundEnabled({ capabilities }: z.output<typeof settings>): boolean | undefined {
  const receiving = capabilities?.receiving ?? undefined;
  return receiving === undefined ? undefined : receiving === 'enabled';
}

function inboundChange(inbound: boolean) {
  return { inbound_enabled: inbound };
}

function toDomain(domain: DomainView) {
  return {
    object: 'domain',
    id: toId('dom', domain.id),
    name: domain.name,
    status: domain.status === 'pending' && domain.checkedAt === null ? 'not_started' : domain.status,
    created_at: domain.createdAt.toISOString(),
    region: 'us-east-1', // its clients want one of its own; here it means nothing
    open_tracking: true,
    click_tracking: true,
    capabilities: { sending: 'enabled', receiving: domain.inboundEnabled ? 'enabled' : 'disabled' },
  };
}

// The kinds that the official clients know: a typed one refuses the whole answer for any other. Null: shown on the page of the
// domain and by REST only.
const RECORDS: Readonly<Record<DomainRecord['purpose'], string | null>> = {
  dkim: 'DKIM',
  return_path: 'SPF',
  spf: 'SPF',
  dmarc: null,
  mx: 'Receiving MX',
  tracking: 'Tracking',
  tls_rpt: null,
};

function toRecords(domain: DomainView) {
  return domain.records.flatMap((one) => {
    const record = RECORDS[one.purpose];
    return record === null ? [] : [{ record, ...toRecord(domain, one) }];
  });
}

function toRecord(domain: DomainView, { type, name, value, priority, status }: DomainRecord) {
  return {
    name,
    type,
    value,
    ttl: 'Auto',
    status: recordStatus(domain, status),
    ...(priority !== null && { priority }),
  };
}

function recordStatus({ checkedAt }: DomainView, status: DomainRecord['status']): string {
  switch (status) {
    case 'found':
      return 'verified';
    case 'wrong':
      return 'failed';
    case 'pending':
    case 'missing':
      return checkedAt === null ? 'not_started' : 'pending';
    default:
      return status satisfies never;
  }
}
