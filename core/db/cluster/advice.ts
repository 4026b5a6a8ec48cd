// What an operator should know about a cluster now, each with the next step.

import { addressOf, type BucketStatus, type NodeStatus, type Work } from './node.ts';

/** One text for each thing that is not as it should be; none when all is well. */
export function adviceFor(nodes: NodeStatus[], buckets: BucketStatus[], work: Work | null): string[] {
  const primaries = nodes.filter((node) => !node.isSecondary);
  return [
    ...primaries.flatMap((node) => ofNode(node, buckets)),
    ...ofSettings(primaries),
    ...ofLeftOvers(work),
  ];
}

function ofNode(node: NodeStatus, buckets: BucketStatus[]): string[] {
  const { answer, isActive, isSynced, isCoordinator, groupId } = node;
  const name = addressOf(node);
  if (typeof answer === 'string') {
    const here = buckets.filter((bucket) => bucket.groupId === groupId).map((bucket) => bucket.name);
    const waits = isCoordinator
      ? 'Migrations, moves and new nodes wait for it; statements through other nodes go on.'
      : `${here.length > 0 ? `Statements on ${here.join(', ')} fail` : 'It holds no bucket'}; moves to it are refused.`;
    const next = isCoordinator
      ? 'Start it.'
      : `Start it, or promote its standby and run: npm run cli -- cluster replace-node ${name} HOST:PORT`;
    return [`${name} does not answer (${answer}). ${waits} ${next}`];
  }
  const found: string[] = [];
  if (!isActive)
    found.push(`${name} is not active: select citus_activate_node('${node.host}', ${node.port}).`);
  if (isActive && !isSynced)
    found.push(
      `${name} does not know yet where everything is. The coordinator sends it within a minute; connect services to another node until then.`,
    );
  if (answer.prepared > 0)
    found.push(
      `${name} has ${count(answer.prepared, 'prepared transaction')} of commits that broke off, with their locks. The coordinator settles them by itself, after citus.recover_2pc_interval (docs/citus.md); now: select recover_prepared_transactions().`,
    );
  return found;
}

/** Where nodes are not set alike, each setting of a node that differs from the coordinator's. */
export function ofSettings(nodes: NodeStatus[]): string[] {
  const first = nodes.find((node) => node.isCoordinator)?.answer;
  if (!first || typeof first === 'string') return [];
  return nodes.flatMap((node) => {
    if (node.isCoordinator || typeof node.answer === 'string') return [];
    const { settings } = node.answer;
    return Object.entries(first.settings)
      .filter(([setting, value]) => settings[setting] !== value)
      .map(
        ([setting, value]) =>
          `${addressOf(node)} has ${setting} = ${settings[setting]}, the coordinator ${value}: set them alike (docs/citus.md).`,
      );
  });
}

function ofLeftOvers(work: Work | null): string[] {
  if (!work || work.isMoving) return [];
  return work.leftOvers.flatMap(({ at, brokenOff }) =>
    brokenOff === 0
      ? []
      : [
          `${at} still has ${count(brokenOff, 'object')} of a move that broke off; the bucket is where it was. Citus drops them within a minute while the node answers, and so does the next move: repeat it.`,
        ],
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
