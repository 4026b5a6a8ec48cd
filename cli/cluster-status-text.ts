// The answer of `cluster status` for people.

import type { ClusterStatus } from '../core/db/cluster/cluster-status.ts';
import { moveText, sizeText } from '../core/db/cluster/move-text.ts';
import { addressOf, type NodeStatus, type Work } from '../core/db/cluster/node.ts';

/** Two tables, the moves, and what to do. */
export function statusText({ citus, nodes, buckets, work, advice }: ClusterStatus): string {
  const nodeRows = nodes.map((node) => {
    const here = buckets.filter((bucket) => bucket.groupId === node.groupId && !node.isSecondary);
    return [addressOf(node), roleOf(node), answerOf(node), `${here.length}`, standbysOf(node)];
  });
  const bucketRows = buckets.map(({ name, node, bytes }) => [
    name,
    addressOf(node),
    bytes === null ? '?' : sizeText(bytes),
  ]);
  return [
    `Citus ${citus}`,
    '',
    ...table([['node', 'role', 'answers', 'buckets', 'standbys'], ...nodeRows]),
    '',
    ...table([['bucket', 'node', 'size'], ...bucketRows]),
    '',
    ...movesOf(work),
    ...advice.map((text) => `! ${text}`),
  ].join('\n');
}

function roleOf({ isCoordinator, isSecondary }: NodeStatus): string {
  if (isSecondary) return 'standby';
  return isCoordinator ? 'coordinator' : 'worker';
}

function answerOf({ answer, isSynced }: NodeStatus): string {
  if (typeof answer === 'string') return 'no';
  return isSynced ? `yes, ${answer.version.split(' ')[0]}` : 'yes, not synced';
}

function standbysOf({ answer }: NodeStatus): string {
  if (typeof answer === 'string') return '?';
  const texts = answer.standbys.map(({ name, state, lagBytes }) =>
    [name, state, `${sizeText(lagBytes)} behind`].join(' '),
  );
  return texts.join(', ') || 'none';
}

function movesOf(work: Work | null): string[] {
  if (!work) return ['A worker was asked: only the coordinator knows of moves.'];
  if (work.moves.length > 0) return work.moves.map((move) => `Moving ${moveText(move)}.`);
  if (work.isMoving) return ['A move begins or ends.'];
  const dropped = work.leftOvers.filter(({ replaced }) => replaced > 0);
  return [
    'No bucket is moving.',
    ...dropped.map(({ at, replaced }) => `${at} drops ${replaced} tables that moved away.`),
  ];
}

function table(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
