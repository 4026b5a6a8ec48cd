// Lets a promoted standby be the node that its primary was.

import pg from 'pg';

import { serverUrls } from '../../base/database-url.ts';
import { AppError } from '../../base/errors.ts';
import { readNodesWithAnswers } from './cluster-status.ts';
import { withCoordinator } from './connect.ts';
import { tidy } from './move-store.ts';
import { readAskedNode, readInRecovery, updateNode } from './node-store.ts';
import { addressOf, isAt, type NodeAddress, type NodeStatus } from './node.ts';

const CONNECT_MS = 5_000;

/**
 * From then on all nodes ask the new server for what the old one held. Refused while the old one answers, and where the new one
 * is not its promoted standby: there, rows would be lost.
 */
export function replaceNode(databaseUrl: string, old: NodeAddress, next: NodeAddress): Promise<void> {
  return withCoordinator(databaseUrl, async (client) => {
    const node = checkOld(await readNodesWithAnswers(client), old, next);
    await checkNext(databaseUrl, node, next);
    await client.query('set statement_timeout = 0');
    await updateNode(client, node.id, next);
    await tidy(client);
  });
}

function checkOld(nodes: NodeStatus[], old: NodeAddress, next: NodeAddress): NodeStatus {
  const node = nodes.find((one) => isAt(one, old));
  if (!node)
    throw new AppError(
      'not_found',
      `No such node ${addressOf(old)}. There are ${nodes.map(addressOf).join(', ')}.`,
    );
  if (nodes.some((one) => isAt(one, next)))
    throw new AppError('conflict', `${addressOf(next)} is a node already.`);
  if (node.isCoordinator)
    throw new AppError(
      'conflict',
      `${addressOf(old)} is the coordinator, which this command does not replace.`,
    );
  if (typeof node.answer !== 'string')
    throw new AppError(
      'conflict',
      `${addressOf(old)} answers. Stop it first: what is written to it later would be lost.`,
    );
  return node;
}

// As whoever runs this: roles and passwords are the same on all nodes.
async function checkNext(databaseUrl: string, old: NodeStatus, next: NodeAddress): Promise<void> {
  const url = new URL(serverUrls(databaseUrl)[0]);
  url.host = addressOf(next);
  const client = new pg.Client({
    connectionString: url.toString(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => {});
  const found = await ask(client).catch((error: unknown) => {
    throw new AppError('unavailable', `${addressOf(next)} does not answer: ${(error as Error).message}`);
  });
  if (found.isStandby)
    throw new AppError('conflict', `${addressOf(next)} is a standby. Promote it first: select pg_promote().`);
  if (found.groupId !== old.groupId)
    throw new AppError(
      'conflict',
      `${addressOf(next)} was no standby of ${addressOf(old)}: it has other buckets.`,
    );
}

async function ask(client: pg.Client): Promise<{ isStandby: boolean; groupId: number }> {
  try {
    await client.connect();
    const { groupId } = await readAskedNode(client);
    return { isStandby: await readInRecovery(client), groupId };
  } finally {
    await client.end().catch(() => {});
  }
}
