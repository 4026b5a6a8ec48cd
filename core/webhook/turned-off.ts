// Endpoints that nobody answers at: five days without one success turn one off, and the owners of its tenant get mail about
// each that was turned off by itself. Any number of schedulers may do so side by side.
//
// The row stays locked while its mail is submitted. Dies between the mail and the note of it: the mail is submitted again
// under the same idempotency key, and not sent twice.

import { service } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { Config } from '../base/config.ts';
import { toId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { sha256 } from '../base/secrets.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { pageUrl, submitSystemMail, writeSystemMail } from '../people/system-sender.ts';
import { selectOwners } from '../system-mail/system-mail-store.ts';
import { lockTurnedOff, markOwnersTold, turnOffFailing, type TurnedOff } from './turned-off-store.ts';

/** What telling owners needs. */
export interface TurnedOffDeps {
  db: Database;
  sender: SenderClient;
  log: Pick<Logger, 'info' | 'warn'>;
  config: Pick<Config, 'PUBLIC_URL' | 'SYSTEM_MAIL_FROM'>;
}

const FAILING_DAYS = 5;

/** Turns off what failed for too long, and tells the owners of one endpoint. True when there may be more to tell. */
export async function turnOffAndTell(deps: TurnedOffDeps): Promise<boolean> {
  await turnOffFailing(deps.db.pool, FAILING_DAYS);
  return inTransaction(deps.db.pool, async (client) => {
    const endpoint = await lockTurnedOff(client);
    if (!endpoint) return false;
    const owners = await selectOwners(client, endpoint.tenantId);
    if ((await mail(deps, endpoint, owners)) === 'later') return false;
    await markOwnersTold(client, endpoint);
    await insertAudit(client, service('webhooks'), {
      tenantId: endpoint.tenantId,
      action: 'webhook.turned_off',
      subject: toId('whk', endpoint.id),
      details: { url: endpoint.url, reason: endpoint.reason },
    });
    return true;
  });
}

async function mail(
  { db, sender, config, log }: TurnedOffDeps,
  endpoint: TurnedOff,
  owners: string[],
): Promise<'done' | 'later'> {
  const webhook = toId('whk', endpoint.id);
  const text = letter(endpoint, config);
  const subject = `Your webhook ${new URL(endpoint.url).href} was turned off`; // a URL as it was typed may have line breaks
  const written =
    owners.length === 0
      ? { ok: false as const, why: 'it has no owner' }
      : await writeSystemMail({ db, config }, { to: owners, subject, text });
  if (!written.ok) {
    log.info({ webhook, why: written.why }, 'nobody is notified about a webhook');
    return 'done';
  }
  const since = endpoint.failingSince?.getTime() ?? 0;
  const sent = await submitSystemMail(sender, 'notice', written, {
    idempotency: { key: `webhook-turned-off-${endpoint.id}-${since}`, bodyHash: sha256(text) },
  });
  if (sent.ok) return 'done';
  log.warn({ webhook, code: sent.code, why: sent.message }, 'the owners of a webhook were not told');
  return sent.code === 'unavailable' || sent.code === 'idempotency_in_progress' ? 'later' : 'done';
}

function letter({ url, reason, failingSince }: TurnedOff, config: Pick<Config, 'PUBLIC_URL'>): string {
  const why =
    reason === 'gone'
      ? 'It answered 410 Gone.'
      : `No event could be delivered to it for ${FAILING_DAYS} days, since ${failingSince?.toISOString()}.`;
  return [
    `The webhook ${url} was turned off.`,
    why,
    '',
    'Events are not kept for it while it is off. Once it works again, turn it on:',
    pageUrl(config, '/webhooks'),
    '',
  ].join('\n');
}
