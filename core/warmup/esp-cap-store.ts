// Counts of sends by (tenant, route, UTC day), and the tenant's cap that sub-caps are shares of.
//
// The rows are locked after the days' rows, in (tenant, route) order, by everyone: by the accepting transaction after
// lockDays, by the release after its day. So they add no way to deadlock.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { TIER_CAPS } from './tiers.ts';

/** Names one row of esp_days, less the day. */
export interface EspKey {
  tenantId: string;
  esp: string;
}

/** Sends to add. */
export interface EspUse extends EspKey {
  count: number;
}

/** The key under which maps of this file hold a row. */
export function espKey({ tenantId, esp }: EspKey): string {
  return `${tenantId} ${esp}`;
}

/** Locks the day's rows of these routes, making those that are missing. Returns what each has carried. */
export async function lockEspUse(
  client: pg.ClientBase,
  keys: EspKey[],
  day: string,
): Promise<Map<string, number>> {
  const values = [keys.map((key) => key.tenantId), keys.map((key) => key.esp), day];
  const open = client.query({
    name: 'esp-open',
    text: `insert into esp_days (tenant_id, esp, day)
           select q.tenant_id, q.esp, $3::date from unnest($1::uuid[], $2::text[]) as q(tenant_id, esp)
           order by 1, 2 on conflict do nothing`,
    values,
  });
  const lock = client.query<EspKey & { used: number }>({
    name: 'esp-lock',
    text: `select e.tenant_id as "tenantId", e.esp, e.used from esp_days e
           join unnest($1::uuid[], $2::text[]) as q(tenant_id, esp) on e.tenant_id = q.tenant_id and e.esp = q.esp
           where e.day = $3 order by 1, 2 for update of e`,
    values,
  });
  const [, { rows }] = await Promise.all([open, lock]);
  return new Map(rows.map((row) => [espKey(row), row.used]));
}

/** Adds sends to the day's rows, making those that are missing. In one order, whoever calls. */
export async function addEspUse(client: pg.ClientBase, day: string, uses: EspUse[]): Promise<void> {
  if (uses.length === 0) return;
  await client.query({
    name: 'esp-add',
    text: `insert into esp_days as e (tenant_id, esp, day, used)
           select q.tenant_id, q.esp, $4::date, q.n
           from unnest($1::uuid[], $2::text[], $3::int[]) as q(tenant_id, esp, n) order by 1, 2
           on conflict (tenant_id, day, esp) do update set used = e.used + excluded.used`,
    values: [uses.map((use) => use.tenantId), uses.map((use) => use.esp), uses.map((use) => use.count), day],
  });
}

/** Subtracts sends whose admissions were taken back. The rows are locked in one order, whoever calls. */
export async function subtractEspUse(
  client: pg.ClientBase,
  uses: (EspUse & { day: string })[],
): Promise<void> {
  await client.query({
    name: 'esp-subtract',
    text: `with locked as materialized (
             select e.tenant_id, e.esp, e.day, q.n from esp_days e
             join unnest($1::uuid[], $2::text[], $3::date[], $4::int[]) as q(tenant_id, esp, day, n)
               on e.tenant_id = q.tenant_id and e.esp = q.esp and e.day = q.day
             order by e.day, e.tenant_id, e.esp for update of e)
           update esp_days e set used = greatest(e.used - l.n, 0)
           from locked l where e.tenant_id = l.tenant_id and e.esp = l.esp and e.day = l.day`,
    values: [
      uses.map((use) => use.tenantId),
      uses.map((use) => use.esp),
      uses.map((use) => use.day),
      uses.map((use) => use.count),
    ],
  });
}

/** The caps of a tenant's verified domains on a day, added up: what sub-caps are shares of. */
export async function readTenantCaps(
  client: pg.ClientBase | pg.Pool,
  tenantIds: string[],
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ tenantId: string; cap: number }>({
    name: 'esp-tenant-caps',
    text: `select d.tenant_id as "tenantId", sum(coalesce(w.cap, caps.cap))::int as cap
           from domains d
           join unnest($3::int[]) with ordinality as caps(cap, n) on caps.n = d.tier + 1
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id and w.day = $2
           where d.tenant_id = any($1::uuid[]) and d.status = 'verified'
           group by 1`,
    values: [tenantIds, day, [...TIER_CAPS]],
  });
  return new Map(rows.map((row) => [row.tenantId, row.cap]));
}
