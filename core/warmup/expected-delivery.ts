// When a waiting message is expected to be delivered: its place in the forecast of its domain.

import type pg from 'pg';

import { nextUtcMidnight, utcDay } from '../base/clock.ts';
import type { MessageSummary } from '../message/message-store.ts';
import { readForecastDomains, readPlace, type ForecastRow, type Place } from './forecast-store.ts';
import { roomAhead } from './forecast.ts';

const TRICKLE_MS = 60_000; // between two messages beside a brake that holds all mail

/**
 * The forecast for a message as it was just read. Null when it does not wait, when nobody can say (its domain or account is held),
 * or when a year has no room for it.
 */
export async function expectDelivery(
  pool: pg.Pool,
  tenantId: string,
  { id, status, deferredUntil }: Pick<MessageSummary, 'id' | 'status' | 'deferredUntil'>,
): Promise<Date | null> {
  if (status !== 'deferred' || deferredUntil === null) return null;
  const place = await readPlace(pool, tenantId, id);
  if (!place) return deferredUntil;
  const [domain] = await readForecastDomains(pool, tenantId, { ids: [place.domainId] });
  return domain ? expected(domain, place, deferredUntil) : null;
}

/** The same from what was read. Pure. `deferredUntil` is when the message is looked at again. */
export function expected(domain: ForecastRow, place: Place, deferredUntil: Date): Date | null {
  const { stream, ahead, reason, isAdmitted } = place;
  if (isAdmitted && reason !== 'brake') return deferredUntil;
  const midnight = nextUtcMidnight(domain.now);
  if (reason === 'brake' && domain.brake === 'all' && stream === 'transactional') {
    const turn = new Date(domain.now.getTime() + (ahead + 1) * TRICKLE_MS);
    if (turn < midnight) return turn;
  }
  const isBulk = stream === 'bulk';
  const transactional = isBulk ? domain.waiting.transactional : ahead;
  const { days } = roomAhead(
    { ...domain, waiting: { transactional, bulk: isBulk ? ahead : 0 } },
    domain.today,
  );
  const from = utcDay(deferredUntil);
  for (const { date, free, bulkFree } of days) {
    if (date < from || (isBulk ? bulkFree : free) < 1) continue;
    const day = new Date(`${date}T00:00:00Z`);
    return day > deferredUntil ? day : deferredUntil;
  }
  return null;
}
