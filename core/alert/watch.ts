// Looks at every rule: opens what reached its threshold, resolves what is well again, and writes down who is to be told,
// all in one transaction for up to RULES_AT_ONCE rules. Any number of schedulers may do so side by side.
// Dies before it commits: docs/crashes-scheduler.md, row alert.before-commit.

import type pg from 'pg';

import type { Fail } from '../base/failpoint.ts';
import { newUuid, NIL_UUID } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { mailOwners } from '../system-mail/system-mail-store.ts';
import { ALERT_KIND_NAMES, ALERT_KINDS, alertSentence, type AlertKind } from './alert-kinds.ts';
import { addChat } from './chat-store.ts';
import { lockRules, moveAlerts, type MovedAlert } from './watch-store.ts';

/** What watching needs. */
export interface WatchDeps {
  db: Database;
  fail: Fail;
}

const RULES_AT_ONCE = 200;

/** One look at all rules. Returns how many alerts opened or were resolved. */
export async function watchOnce(deps: WatchDeps, signal: AbortSignal): Promise<number> {
  let moved = 0;
  for (const kind of ALERT_KIND_NAMES) {
    let after: string | null = NIL_UUID;
    while (after !== null) {
      signal.throwIfAborted();
      const page: { last: string | null; moved: number } = await watchPage(deps, kind, after);
      moved += page.moved;
      after = page.last;
    }
  }
  return moved;
}

function watchPage({ db, fail }: WatchDeps, kind: AlertKind, after: string) {
  return inTransaction(db.pool, async (client) => {
    const rules = await lockRules(client, kind, after, RULES_AT_ONCE);
    if (rules.length === 0) return { last: null, moved: 0 };
    const moved = await moveAlerts(client, kind, rules);
    for (const alert of moved) await tell(client, alert);
    if (moved.length > 0) fail('alert.before-commit');
    return { last: rules.length < RULES_AT_ONCE ? null : rules.at(-1)!, moved: moved.length };
  });
}

async function tell(client: pg.PoolClient, alert: MovedAlert): Promise<void> {
  const { tenantId } = alert;
  const { nextStep, page } = ALERT_KINDS[alert.kind];
  const resolved = alert.resolvedAt !== null;
  const sentence = alertSentence(alert);
  const next = resolved ? null : nextStep;
  if (alert.mail)
    await mailOwners(client, tenantId, { kind: 'alert', data: { resolved, sentence, next, page } });
  if (!alert.chat) return;
  const text = [resolved ? `Resolved: ${sentence}` : `Alert: ${sentence}`, next].filter(
    (one) => one !== null,
  );
  await addChat(client, { id: newUuid(), tenantId, text: text.join(' ') });
}
