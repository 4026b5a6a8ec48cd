// Looks at the brakes of domains whose mail just came to something bad, in every process that records outcomes.
//
// Guarantee: what a look decides is written once, however many processes look: under the domain's lock, and only if the brake
// still stands as it was read. A process that dies before it looked leaves that to the next bad outcome, in any process; what
// it remembered of a domain (scores between two looks) begins again with the whole test.
// Dies anywhere in here: docs/crashes.md, "The same-day brake".

import type pg from 'pg';

import { service } from '../audit/actor.ts';
import { insertAudits } from '../audit/audit-store.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import { publishChange } from '../clients/live.ts';
import type { Nats } from '../clients/nats.ts';
import { inTransaction, isDatabaseAway } from '../db/transaction.ts';
import { addNotices } from '../operations/notice-store.ts';
import { judgeBrake, type BrakedDomain, type BrakeMemory, type BrakeMove } from './brake.ts';
import { lockBraked, readBraked, writeBrake, type DomainKey } from './brake-store.ts';
import { resumeUnheld } from './room-store.ts';
import { insertHistory } from './tier-store.ts';
import { lockOpenDays } from './warmup-store.ts';

/** The watch of one process. */
export interface BrakeWatch {
  /** Looks at these domains soon. */
  note(domains: Iterable<DomainKey>): void;
  stop(): Promise<void>;
}

const PAUSE_MS = 100; // between two looks: 20 bounces at 1,000 messages per second, a fifth of them bad
const IDLE_MS = 60_000;
const MOST_REMEMBERED = 10_000; // domains, about 1 KB each

/** Starts to watch. `onMove` is called after a brake went on or back. */
export function startBrakeWatch(deps: {
  pool: pg.Pool;
  nats: Pick<Nats, 'publish'>;
  log: Logger;
  onMove: (domain: DomainKey) => void;
}): BrakeWatch {
  const memories = new Map<string, BrakeMemory>();
  let noted = new Map<string, DomainKey>();
  let resting = false;
  const look = async () => {
    const wanted = noted;
    noted = new Map();
    try {
      for (const domain of await readBraked(deps.pool, [...wanted.values()]))
        await judge(deps, memories, domain);
    } catch (error) {
      noted = new Map([...wanted, ...noted]);
      throw error;
    }
  };
  const loop = startLoop({
    what: 'the same-day brake',
    log: deps.log,
    isExpected: isDatabaseAway,
    async step() {
      resting = false;
      if (noted.size === 0) return IDLE_MS;
      await look();
      resting = true;
      return PAUSE_MS;
    },
  });
  return {
    note: (domains) => {
      const before = noted.size;
      for (const { tenantId, domainId } of domains) noted.set(domainId, { tenantId, domainId });
      if (noted.size > before && !resting) loop.wake();
    },
    stop: () => loop.stop(),
  };
}

async function judge(
  deps: Parameters<typeof startBrakeWatch>[0],
  memories: Map<string, BrakeMemory>,
  domain: BrakedDomain,
): Promise<void> {
  const before = memories.get(domain.domainId) ?? null;
  const { memory, move } = judgeBrake(domain, before);
  memories.delete(domain.domainId); // so that it moves to the young end
  memories.set(domain.domainId, memory);
  if (memories.size > MOST_REMEMBERED) memories.delete(memories.keys().next().value as string);
  if (!move || !(await inTransaction(deps.pool, (client) => applyMove(client, domain, move)))) return;
  deps.log.warn(
    { domain: domain.name, brake: move.to, reason: move.reason },
    'the same-day brake of a domain moved',
  );
  publishChange(deps.nats, domain.tenantId, 'warmup', toId('dom', domain.domainId));
  deps.onMove(domain);
}

/** Writes a move of a brake that still stands as it was judged, in the transaction of `client`. False: it does not. */
export async function applyMove(
  client: pg.ClientBase,
  judged: BrakedDomain,
  move: BrakeMove,
): Promise<boolean> {
  const frees = judged.state === 'all' && move.to === 'bulk';
  if (frees) await lockOpenDays(client, [judged]);
  const now = await lockBraked(client, judged);
  const asJudged = JSON.stringify([judged.state, judged.start, judged.counts.day]);
  if (!now?.enabled || JSON.stringify([now.state, now.start, now.counts.day]) !== asJudged) return false;
  // Campaign mail held: transactional mail goes on being judged by all of its test. Else the test begins again.
  const start = now.state === 'off' ? now.start : now.counts;
  await writeBrake(client, now, move, start);
  if (frees) await resumeUnheld(client, now);
  await insertHistory(
    client,
    now.tenantId,
    { ...now, id: now.domainId },
    {
      actor: 'brake',
      action: move.to === 'all' ? 'brake_all' : 'brake_bulk',
      toTier: now.tier,
      reason: move.reason,
    },
  );
  await insertAudits(client, service('brake'), [
    {
      tenantId: now.tenantId,
      action: 'domain.braked',
      subject: toId('dom', now.domainId),
      details: { domain: now.name, brake: move.to, from: now.state, reason: move.reason },
    },
  ]);
  const who = `${now.name} (${toId('dom', now.domainId)}, ${toId('tnt', now.tenantId)})`;
  await addNotices(client, [{ event: `brake:${newUuid()}`, text: `Brake: ${who}: ${move.reason}` }]);
  return true;
}
