// What people choose for themselves, wherever they sign in.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { invalidField } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { OwnSession } from './own-session.ts';
import { updateTimeZone } from './user-store.ts';

const MAX_ZONE_CHARS = 64; // the longest name has 32

/** Keeps the zone in which a person is shown times; null: that of the browser. Throws `validation_failed`. */
export async function changeTimeZone(
  deps: ChangeDeps,
  by: Actor,
  { user: { id, tenantId } }: Pick<OwnSession, 'user' | 'method'>,
  timeZone: string | null,
): Promise<void> {
  if (timeZone !== null && !isZone(timeZone))
    throw invalidField('timeZone', 'must be UTC or the name of an IANA time zone, for example Europe/Berlin');
  await change(deps, by, async (client, record) => {
    await updateTimeZone(client, id, timeZone);
    const details = { time_zone: timeZone };
    await record({ tenantId, action: 'user.profile_changed', subject: toId('usr', id), details });
  });
}

// Not only the names that this Node lists: browsers know others for the same zones.
function isZone(name: string): boolean {
  if (name.length > MAX_ZONE_CHARS || !/^[A-Z]/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
