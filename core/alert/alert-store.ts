// The rules of a tenant, its alerts, and where they are posted to.

import { and, desc, eq, getTableColumns, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type pg from 'pg';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { alertChats, alertRules, alerts, alertSettings } from '../db/schema/alert.ts';
import { domains } from '../db/schema/domain.ts';
import type { AlertKind } from './alert-kinds.ts';

const { tenantId: _ofRule, ...RULE } = getTableColumns(alertRules);
const { tenantId: _ofAlert, subjectId: _subject, ...ALERT } = getTableColumns(alerts);
const SHOWN_RULE = { ...RULE, kind: sql<AlertKind>`${alertRules.kind}` }; // the input's schema checks it
const SHOWN_ALERT = { ...ALERT, kind: sql<AlertKind>`${alerts.kind}` };

/** A rule as it is shown. Ids are UUIDs. */
export type AlertRule = Omit<typeof alertRules.$inferSelect, 'tenantId' | 'kind'> & { kind: AlertKind };

/** An alert as it is shown. */
export type Alert = Omit<typeof alerts.$inferSelect, 'tenantId' | 'kind' | 'subjectId'> & { kind: AlertKind };

/** Rules that a tenant may have. */
export const MAX_ALERT_RULES = 200;

/** Inserts a rule; null when the tenant has as many as it may. Two at once wait for each other. */
export async function insertRule(
  client: pg.PoolClient,
  tenantId: string,
  rule: Omit<AlertRule, 'createdAt'>,
): Promise<AlertRule | null> {
  await client.query({
    name: 'alert-rules-count-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('postrider:alert-rules:' || $1, 0))`,
    values: [tenantId],
  });
  const there = await orm(client).$count(alertRules, eq(alertRules.tenantId, tenantId));
  if (there >= MAX_ALERT_RULES) return null;
  const [made] = await orm(client)
    .insert(alertRules)
    .values({ ...rule, tenantId })
    .returning(SHOWN_RULE);
  return made!;
}

/** Inserts rules as they are by default: enabled, with mail and chat. */
export async function insertRules(
  client: Queryable,
  rules: (Pick<AlertRule, 'id' | 'kind' | 'threshold'> & { tenantId: string })[],
): Promise<void> {
  await orm(client).insert(alertRules).values(rules);
}

/** One rule of a tenant, or null. */
export async function selectRule(db: Queryable, tenantId: string, id: string): Promise<AlertRule | null> {
  const [row] = await orm(db).select(SHOWN_RULE).from(alertRules).where(isRule(tenantId, id));
  return row ?? null;
}

/** A page of a tenant's rules, newest first. */
export function listAlertRules(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<AlertRule[]> {
  const older = page.before === null ? undefined : lt(alertRules.id, page.before);
  return orm(db)
    .select(SHOWN_RULE)
    .from(alertRules)
    .where(and(eq(alertRules.tenantId, tenantId), older))
    .orderBy(desc(alertRules.id))
    .limit(page.limit);
}

/** Changes a rule; null when it is not there. */
export async function updateRule(
  client: Queryable,
  tenantId: string,
  id: string,
  set: { [K in 'threshold' | 'enabled' | 'mail' | 'chat']: AlertRule[K] | undefined },
): Promise<AlertRule | null> {
  const [row] = await orm(client)
    .update(alertRules)
    .set({ tenantId, ...set }) // the tenant as it is: there must be something to set for the row to come back
    .where(isRule(tenantId, id))
    .returning(SHOWN_RULE);
  return row ?? null;
}

/** Deletes a rule. Returns it, or null when it is not there. */
export async function deleteRule(client: Queryable, tenantId: string, id: string): Promise<AlertRule | null> {
  const [row] = await orm(client).delete(alertRules).where(isRule(tenantId, id)).returning(SHOWN_RULE);
  return row ?? null;
}

/** Ends the open alerts of a rule that is not looked at any more. */
export async function resolveAlerts(client: Queryable, tenantId: string, ruleId: string): Promise<void> {
  await orm(client)
    .update(alerts)
    .set({ resolvedAt: sql`now()` })
    .where(and(eq(alerts.tenantId, tenantId), eq(alerts.ruleId, ruleId), isNull(alerts.resolvedAt)));
}

/** A page of a tenant's alerts, newest first. */
export function listAlerts(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number; open?: boolean | undefined },
): Promise<Alert[]> {
  const { resolvedAt } = alerts;
  return orm(db)
    .select(SHOWN_ALERT)
    .from(alerts)
    .where(
      and(
        eq(alerts.tenantId, tenantId),
        page.before === null ? undefined : lt(alerts.id, page.before),
        page.open === undefined ? undefined : page.open ? isNull(resolvedAt) : isNotNull(resolvedAt),
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(page.limit);
}

/** Whether a domain is the tenant's. */
export async function isOwnDomain(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const found = await orm(db).$count(domains, and(eq(domains.tenantId, tenantId), eq(domains.id, id)));
  return found === 1;
}

/** Where a tenant's alerts are posted to; nulls when nowhere. */
export async function selectAlertSettings(
  db: Queryable,
  tenantId: string,
): Promise<{ sealedChatUrl: Buffer | null; chatHost: string | null }> {
  const { sealedChatUrl, chatHost } = alertSettings;
  const [row] = await orm(db)
    .select({ sealedChatUrl, chatHost })
    .from(alertSettings)
    .where(eq(alertSettings.tenantId, tenantId));
  return row ?? { sealedChatUrl: null, chatHost: null };
}

/** Sets it. What still waits for the chat before is not posted. */
export async function upsertAlertSettings(
  client: Queryable,
  tenantId: string,
  set: { sealedChatUrl: Buffer | null; chatHost: string | null },
): Promise<void> {
  await orm(client)
    .insert(alertSettings)
    .values({ tenantId, ...set })
    .onConflictDoUpdate({ target: alertSettings.tenantId, set });
  await orm(client).delete(alertChats).where(eq(alertChats.tenantId, tenantId));
}

function isRule(tenantId: string, id: string) {
  return and(eq(alertRules.tenantId, tenantId), eq(alertRules.id, id));
}
