// Makes a server a node of the cluster.

import type pg from 'pg';

import { monotonicMs, sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { ofSettings } from './advice.ts';
import { readNodesWithAnswers } from './cluster-status.ts';
import { withCoordinator } from './connect.ts';
import { addNode, canReach, readNodes, readUnconnected } from './node-store.ts';
import { addressOf, isAt, type NodeAddress, type NodeStatus } from './node.ts';

const SYNC_WAIT_MS = 60_000;
const POLL_MS = 500;

/** A node that was added, and what is not right with it, a text each. */
export interface AddedNode {
  node: NodeStatus;
  problems: string[];
}

/** Adds it, and waits until it knows where everything is. It gets no bucket by that. */
export function addClusterNode(databaseUrl: string, at: NodeAddress): Promise<AddedNode> {
  const name = addressOf(at);
  return withCoordinator(databaseUrl, async (client) => {
    if ((await readNodes(client)).some((node) => isAt(node, at)))
      throw new AppError('conflict', `${name} is a node already.`);
    if (!(await canReach(client, at)))
      throw new AppError(
        'unavailable',
        `The coordinator cannot connect to ${name}. There must be a server with this database in which "create extension citus" was ` +
          `run, pg_hba.conf must let the nodes in, and the server's PGPASSFILE of every node must have its password (docs/citus.md).`,
      );
    await client.query('set statement_timeout = 0'); // it gets the tables of all buckets
    await addNode(client, at).catch((error: unknown) => {
      throw new AppError('conflict', `${name} was not added: ${(error as Error).message}.`);
    });
    const node = await waitUntilSynced(client, at);
    const primaries = (await readNodesWithAnswers(client)).filter((one) => !one.isSecondary);
    const apart = (await readUnconnected(client)).map(
      ({ from, to }) =>
        `${addressOf(from)} cannot connect to ${addressOf(to)}: see pg_hba.conf there, and PGPASSFILE of the first.`,
    );
    return { node, problems: [...ofSettings(primaries).filter((text) => text.startsWith(name)), ...apart] };
  });
}

async function waitUntilSynced(client: pg.Client, at: NodeAddress): Promise<NodeStatus> {
  const startedAt = monotonicMs();
  for (;;) {
    const node = (await readNodesWithAnswers(client)).find((one) => isAt(one, at));
    if (node?.isActive && node.isSynced && typeof node.answer !== 'string') return node;
    if (monotonicMs() - startedAt > SYNC_WAIT_MS)
      throw new AppError(
        'unavailable',
        `${addressOf(at)} was added, but does not know where everything is yet. See: npm run cli -- cluster status`,
      );
    await sleep(POLL_MS);
  }
}
