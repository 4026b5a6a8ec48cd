// How a cluster is: its nodes, which bucket is where, what moves, what is left to do.

import type pg from 'pg';

import { adviceFor } from './advice.ts';
import { isLocked, readLeftOvers, readMoves } from './move-store.ts';
import { askNodes, readAskedNode, readCitusVersion, readNodes, readPlacedBuckets } from './node-store.ts';
import type { BucketStatus, NodeStatus, PlacedBucket, Work } from './node.ts';

/** A cluster at one moment. */
export interface ClusterStatus {
  citus: string;
  nodes: NodeStatus[];
  buckets: BucketStatus[];
  /** Null when another node than the coordinator was asked. */
  work: Work | null;
  /** What is wrong, and what to do about it, a sentence or two each. */
  advice: string[];
}

/** Reads it all. It takes as long as the slowest node, and seconds for one that is silent. */
export async function readClusterStatus(client: pg.Client): Promise<ClusterStatus> {
  const citus = (await readCitusVersion(client)) ?? '';
  const { isCoordinator } = await readAskedNode(client);
  const nodes = await readNodesWithAnswers(client);
  const buckets = (await readPlacedBuckets(client)).map((bucket) => placed(bucket, nodes));
  const work = isCoordinator ? await readWork(client) : null;
  return { citus, nodes, buckets, work, advice: adviceFor(nodes, buckets, work) };
}

/** All nodes, each with what it answers now. */
export async function readNodesWithAnswers(client: pg.Client): Promise<NodeStatus[]> {
  const nodes = await readNodes(client);
  const answers = await askNodes(client);
  return nodes.map((node) => ({ ...node, answer: answers.get(node.id) ?? 'it is a standby' }));
}

async function readWork(client: pg.Client): Promise<Work> {
  const moves = await readMoves(client).catch(() => []); // it asks both nodes of a move, of which one may be silent
  const isMoving = moves.length > 0 || (await isLocked(client));
  return { isMoving, moves, leftOvers: await readLeftOvers(client) };
}

function placed(bucket: PlacedBucket, nodes: NodeStatus[]): BucketStatus {
  const { host, port, answer } = nodes.find((node) => node.groupId === bucket.groupId && !node.isSecondary)!;
  const bytes = typeof answer === 'string' ? null : (answer.bytes[bucket.name] ?? 0);
  return { ...bucket, node: { host, port }, bytes };
}
