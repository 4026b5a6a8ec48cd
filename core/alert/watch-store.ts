// One look at the rules of a kind: what opens and what is resolved, in one statement.
// SQL by hand: a comparison of two sets, and an index that decides who opens an alert.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { MONTHLY_CAP } from '../tenant/plan.ts';
import type { AlertFacts, AlertKind } from './alert-kinds.ts';
import { MEASURES } from './measures.ts';

/** An alert that has just opened or was just resolved, and who is to be told. Ids are UUIDs. */
export interface MovedAlert extends AlertFacts {
  id: string;
  tenantId: string;
  resolvedAt: Date | null;
  mail: boolean;
  chat: boolean;
}

// A rate that swings around its threshold is one alert, not twenty: it is resolved below this part of the threshold.
const RESOLVED_BELOW = 0.8;

/** The next rules of a kind, locked against being changed until the transaction ends. */
export async function lockRules(
  client: pg.ClientBase,
  kind: AlertKind,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'alert-rules-lock',
    text: `select id from alert_rules where kind = $1 and enabled and id > $2 order by id limit $3 for share`,
    values: [kind, after, limit],
  });
  return rows.map(({ id }) => id);
}

/** Opens and resolves alerts of these rules of a kind. What is open already is not opened again, whoever looks. */
export async function moveAlerts(
  client: pg.ClientBase,
  kind: AlertKind,
  ruleIds: string[],
): Promise<MovedAlert[]> {
  const plans = kind === 'quota' ? [Object.keys(MONTHLY_CAP), Object.values(MONTHLY_CAP)] : [];
  const { rows } = await client.query<MovedAlert>({
    name: `alerts-move-${kind}`,
    text: `with r as materialized (select * from alert_rules where id = any($1::uuid[])),
             m as materialized (${MEASURES[kind]}),
             resolved as (
               update alerts a set resolved_at = now() from r
               where a.rule_id = r.id and a.resolved_at is null and not exists (
                 select from m where m.rule_id = a.rule_id and m.subject_id = a.subject_id
                   and m.value >= r.threshold * $2::float8)
               returning a.*),
             exceeded as materialized (
               select uuid_now() as id, r.tenant_id, r.id as rule_id, r.kind, m.subject_id, m.subject, m.domain_id, m.value,
                 r.threshold, now() as opened_at
               from m join r on r.id = m.rule_id where m.value >= r.threshold order by r.id, m.subject_id),
             opened as (
               insert into alerts
                 (id, tenant_id, rule_id, kind, subject_id, subject, domain_id, value, threshold, opened_at)
               select exceeded.* from exceeded, ${HERE}
               on conflict (rule_id, subject_id) where resolved_at is null do nothing
               returning *)
           select a.id, a.tenant_id as "tenantId", a.kind, a.subject, a.value, a.threshold,
             a.resolved_at as "resolvedAt", r.mail, r.chat
           from (select * from resolved union all select * from opened) a join r on r.id = a.rule_id order by a.id`,
    values: [ruleIds, RESOLVED_BELOW, ...plans],
  });
  return rows;
}
