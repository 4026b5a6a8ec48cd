// The endpoints of a tenant's events.

import { and, asc, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import type pg from 'pg';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { domains } from '../db/schema/domain.ts';
import { webhookEndpoints } from '../db/schema/webhook.ts';

const {
  tenantId: _tenant,
  kind: _kind,
  url: _url,
  sealedSecret: _sealed,
  previousSealedSecret: _previous,
  ownersToldAt: _told,
  ...PLAIN
} = getTableColumns(webhookEndpoints);
const SHOWN = { ...PLAIN, url: sql<string>`${webhookEndpoints.url}` }; // only inbound mail may have none

/** An endpoint as it is shown. Ids are UUIDs. */
export type Endpoint = Omit<
  typeof webhookEndpoints.$inferSelect,
  'tenantId' | 'kind' | 'sealedSecret' | 'previousSealedSecret' | 'ownersToldAt' | 'url'
> & { url: string };

/** What can be set. */
type Settable = Pick<Endpoint, 'url' | 'eventTypes' | 'description' | 'domainIds' | 'format'>;

/** A change; undefined leaves a field as it is. */
export type EndpointSet = { [K in keyof Omit<Settable, 'format'>]: Settable[K] | undefined } & {
  enabled: boolean | undefined;
};

/** Endpoints of events that a tenant may have. */
export const MAX_ENDPOINTS = 20;

/** Inserts an endpoint; null when the tenant has as many as it may. Two at once wait for each other. */
export async function insertEndpoint(
  client: pg.PoolClient,
  tenantId: string,
  row: Settable & { id: string; sealedSecret: Buffer },
): Promise<Endpoint | null> {
  await client.query({
    name: 'webhook-endpoints-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('postrider:webhook-endpoints:' || $1, 0))`,
    values: [tenantId],
  });
  const there = await orm(client)
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.kind, 'events')));
  if (there.length >= MAX_ENDPOINTS && !there.some(({ id }) => id === row.id)) return null;
  const [made] = await orm(client)
    .insert(webhookEndpoints)
    .values({ ...row, tenantId, kind: 'events', enabled: true })
    .returning(SHOWN);
  return made!;
}

/** One endpoint of a tenant, or null. */
export async function selectEndpoint(db: Queryable, tenantId: string, id: string): Promise<Endpoint | null> {
  const [row] = await orm(db).select(SHOWN).from(webhookEndpoints).where(isEndpoint(tenantId, id));
  return row ?? null;
}

/** The sealed secret of an endpoint, and the one before while that still signs; null when there is no endpoint. */
export async function selectSealedSecrets(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<{ current: Buffer; previous: Buffer | null } | null> {
  const [row] = await orm(db)
    .select({
      current: webhookEndpoints.sealedSecret,
      previous: sql<Buffer | null>`case when ${webhookEndpoints.previousUntil} > now()
        then ${webhookEndpoints.previousSealedSecret} end`,
    })
    .from(webhookEndpoints)
    .where(isEndpoint(tenantId, id));
  return row ?? null;
}

/** A page of a tenant's endpoints, newest first. */
export function listEndpoints(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Endpoint[]> {
  const older = page.before === null ? undefined : lt(webhookEndpoints.id, page.before);
  return orm(db)
    .select(SHOWN)
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.kind, 'events'), older))
    .orderBy(desc(webhookEndpoints.id))
    .limit(page.limit);
}

/**
 * Changes an endpoint; null when it is not there. Turning it on forgets what turned it off, and another URL the failures of
 * the one before.
 */
export async function updateEndpoint(
  db: Queryable,
  tenantId: string,
  id: string,
  set: EndpointSet,
): Promise<Endpoint | null> {
  const fresh = set.enabled === true ? { failingSince: null, disabledReason: null, ownersToldAt: null } : {};
  const { url, failingSince } = webhookEndpoints;
  const moved =
    set.url === undefined
      ? {}
      : { failingSince: sql`case when ${url} = ${set.url} then ${failingSince} end` };
  const [row] = await orm(db)
    .update(webhookEndpoints)
    .set({ tenantId, ...set, ...moved, ...fresh }) // the tenant as it is: there must be something to set for the row to come back
    .where(isEndpoint(tenantId, id))
    .returning(SHOWN);
  return row ?? null;
}

/** Replaces the secret; the old one signs beside it for `hours`. Null when the endpoint is not there. */
export async function rotateEndpoint(
  db: Queryable,
  tenantId: string,
  id: string,
  { sealedSecret, hours }: { sealedSecret: Buffer; hours: number },
): Promise<Endpoint | null> {
  const [row] = await orm(db)
    .update(webhookEndpoints)
    .set({
      previousSealedSecret: sql`${webhookEndpoints.sealedSecret}`,
      previousUntil: sql`now() + make_interval(hours => ${hours})`,
      sealedSecret,
      rotatedAt: sql`now()`,
    })
    .where(isEndpoint(tenantId, id))
    .returning(SHOWN);
  return row ?? null;
}

/** Deletes an endpoint; null when it is not there. What is left of its deliveries goes with age. */
export async function deleteEndpoint(db: Queryable, tenantId: string, id: string): Promise<Endpoint | null> {
  const [row] = await orm(db).delete(webhookEndpoints).where(isEndpoint(tenantId, id)).returning(SHOWN);
  return row ?? null;
}

/** Which of these domains are the tenant's. */
export async function selectOwnDomains(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await orm(db)
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.tenantId, tenantId), inArray(domains.id, [...ids])))
    .orderBy(asc(domains.id));
  return new Set(rows.map(({ id }) => id));
}

function isEndpoint(tenantId: string, id: string) {
  return and(
    eq(webhookEndpoints.tenantId, tenantId),
    eq(webhookEndpoints.id, id),
    eq(webhookEndpoints.kind, 'events'),
  );
}
