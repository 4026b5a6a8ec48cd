// Releases the same-day brake of a domain by hand. Its waiting mail is due at once, before newer mail.

import type { Actor } from '../audit/actor.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { actorName } from '../audit/actor.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { lockBraked, writeBrakeOff } from './brake-store.ts';
import { resumeUnheld } from './room-store.ts';
import { insertHistory } from './tier-store.ts';
import { lockOpenDays } from './warmup-store.ts';

/** Takes the brake off; the test begins anew with the next outcome. One that is off stays so. Throws not_found. */
export async function releaseBrake(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  domainId: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    await lockOpenDays(client, [{ tenantId, domainId }]);
    const domain = await lockBraked(client, { tenantId, domainId });
    if (!domain) throw notFound('domain');
    if (domain.state === 'off') return;
    await writeBrakeOff(client, domain, domain.counts);
    await resumeUnheld(client, domain);
    const entry = { actor: actorName(by), action: 'brake_release', toTier: domain.tier, reason: '' };
    await insertHistory(client, tenantId, { ...domain, id: domainId }, entry);
    const details = { domain: domain.name, brake: domain.state };
    const subject = toId('dom', domainId);
    await record({ tenantId, action: 'domain.brake_released', subject, details, topic: 'warmup' });
  });
}
