// /admin/tenants/{id}/domains/{domain_id}: an operator moves or freezes a tier, lifts a pause, releases a brake, reads the history.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { getDomain } from '../../../core/domain/domains.ts';
import { readHistory, type HistoryEntry } from '../../../core/warmup/history-store.ts';
import { overrideTier, resumeDomain } from '../../../core/warmup/change-tier.ts';
import { releaseBrake } from '../../../core/warmup/release-brake.ts';
import { resumeInput, tierInput } from '../../../core/warmup/tier-input.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { domainView, toDomainView } from './domain-view.ts';

const GROUP = 'Administration';
const PATH = '/admin/tenants/{id}/domains/{domain_id}';
const params = z.object({ id: idInput('tnt'), domain_id: idInput('dom') });

/** POST …/tier */
export const overrideWarmupTier = defineRoute(
  {
    operationId: 'overrideTier',
    method: 'POST',
    path: `${PATH}/tier`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Override a tier',
    description: '`hold` keeps the tier until `release`. Today’s cap changes immediately.',
    params,
    body: jsonBody(tierInput),
    response: domainView,
    status: 200,
    example: { action: 'hold', reason: 'testing a new list' },
  },
  async ({ deps, by, params: { id, domain_id: domainId }, body }) => {
    await overrideTier(deps, by, { tenantId: id, domain: { id: domainId } }, body);
    return { data: toDomainView(await getDomain(deps, id, domainId)) };
  },
);

/** POST …/resume */
export const resumeWarmup = defineRoute(
  {
    operationId: 'resumeDomain',
    method: 'POST',
    path: `${PATH}/resume`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Lift a pause',
    description:
      'Sending resumes at the current tier; messages that wait are released at once, up to today’s cap.',
    params,
    body: { ...jsonBody(resumeInput), optional: true },
    response: domainView,
    status: 200,
  },
  async ({ deps, by, params: { id, domain_id: domainId }, body }) => {
    await resumeDomain(deps, by, { tenantId: id, domain: { id: domainId } }, body);
    return { data: toDomainView(await getDomain(deps, id, domainId)) };
  },
);

/** POST …/brake/release */
export const releaseTenantBrake = defineRoute(
  {
    operationId: 'releaseTenantBrake',
    method: 'POST',
    path: `${PATH}/brake/release`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Release the same-day brake of a tenant’s domain',
    description:
      'Messages that wait for the brake are released within seconds, up to the cap. Does nothing when the brake is off.',
    params,
    response: domainView,
    status: 200,
  },
  async ({ deps, by, params: { id, domain_id: domainId } }) => {
    await releaseBrake(deps, by, id, domainId);
    return { data: toDomainView(await getDomain(deps, id, domainId)) };
  },
);

const entryView = z.object({
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.string(),
  from_tier: z.int(),
  to_tier: z.int(),
  reason: z.string(),
  rates: z.record(z.string(), z.number()).nullable(),
});

/** GET …/warmup-history */
export const listWarmupHistory = defineRoute(
  {
    operationId: 'getWarmupHistory',
    method: 'GET',
    path: `${PATH}/warmup-history`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Read the history of a warm-up',
    params,
    query: z.strictObject(pageQuery),
    response: pageOf(entryView),
    status: 200,
  },
  async ({ deps, params: { id, domain_id: domainId }, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await readHistory(deps.db.pool, id, domainId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toEntryView) };
  },
);

function toEntryView(entry: HistoryEntry): z.input<typeof entryView> {
  return {
    at: entry.at.toISOString(),
    actor: entry.actor,
    action: entry.action,
    from_tier: entry.fromTier,
    to_tier: entry.toTier,
    reason: entry.reason,
    rates: entry.rates,
  };
}
