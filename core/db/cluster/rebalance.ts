// Spreads buckets over the nodes: Citus proposes, and they move one at a time.

import { AppError } from '../../base/errors.ts';
import { readNodesWithAnswers } from './cluster-status.ts';
import { withCoordinator } from './connect.ts';
import { moveBucket, type Moved } from './move-bucket.ts';
import { readPlan } from './move-store.ts';
import { addressOf, type NodeAddress } from './node.ts';

/** A move that is proposed. */
export interface PlannedMove {
  bucket: string;
  from: NodeAddress;
  to: NodeAddress;
  bytes: number;
}

/** What would move where; nothing when the nodes have much the same. Refused while a node does not answer. */
export function planRebalance(databaseUrl: string): Promise<PlannedMove[]> {
  return withCoordinator(databaseUrl, async (client) => {
    const nodes = await readNodesWithAnswers(client);
    const silent = nodes.filter((node) => !node.isSecondary && typeof node.answer === 'string');
    if (silent.length > 0)
      throw new AppError(
        'unavailable',
        `${silent.map(addressOf).join(', ')} does not answer. Start it, or replace it, before buckets are spread.`,
      );
    const sizes = nodes.map(({ answer }) => (typeof answer === 'string' ? {} : answer.bytes));
    return (await readPlan(client)).map((move) => ({
      ...move,
      bytes: Math.max(...sizes.map((size) => size[move.bucket] ?? 0)),
    }));
  });
}

/** Makes the moves of a plan, in its order; it ends at the first that is refused or breaks off. */
export async function makeMoves(
  databaseUrl: string,
  plan: PlannedMove[],
  log: (line: string) => void,
): Promise<Moved[]> {
  const done: Moved[] = [];
  for (const { bucket, to } of plan) {
    const moved = await moveBucket(databaseUrl, { bucket, to }, log);
    log(`${bucket} is at ${addressOf(to)}, ${done.length + 1} of ${plan.length} moves done`);
    done.push(moved);
  }
  return done;
}
