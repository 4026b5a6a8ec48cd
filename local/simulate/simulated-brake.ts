// The same-day brake of a simulated domain: the real test and the real rows, looked at after every batch of outcomes.

import type pg from 'pg';

import { inTransaction } from '../../core/db/transaction.ts';
import type { BrakeState } from '../../core/message/brake-state.ts';
import { judgeBrake, type BrakeMemory } from '../../core/warmup/brake.ts';
import { readBraked, type DomainKey } from '../../core/warmup/brake-store.ts';
import { applyMove } from '../../core/warmup/brake-watch.ts';

/** How far the brake is on. */
export async function brakeStateOf(pool: pg.Pool, account: DomainKey): Promise<BrakeState> {
  return (await readBraked(pool, [account]))[0]!.state;
}

/** Judges what came to be since the last look, as senders do, and writes what follows from it. */
export async function judgeNow(
  pool: pg.Pool,
  account: DomainKey,
  before: BrakeMemory | null,
): Promise<BrakeMemory> {
  const [domain] = await readBraked(pool, [account]);
  const { memory, move } = judgeBrake(domain!, before);
  if (move) await inTransaction(pool, (client) => applyMove(client, domain!, move));
  return memory;
}
