// `cluster …`: the nodes of a Citus cluster, and which bucket is on which (docs/citus.md).

import { addClusterNode } from '../core/db/cluster/add-node.ts';
import { readClusterStatus } from '../core/db/cluster/cluster-status.ts';
import { withCluster } from '../core/db/cluster/connect.ts';
import { moveBucket } from '../core/db/cluster/move-bucket.ts';
import { sizeText } from '../core/db/cluster/move-text.ts';
import { addressOf, parseAddress, type NodeAddress } from '../core/db/cluster/node.ts';
import { makeMoves, planRebalance, type PlannedMove } from '../core/db/cluster/rebalance.ts';
import { replaceNode } from '../core/db/cluster/replace-node.ts';
import { statusText } from './cluster-status-text.ts';
import { UsageError, type Command } from './command.ts';

const NEXT_AFTER_ADDING =
  'It has no bucket yet. What would move to it: npm run cli -- cluster rebalance --dry-run';

/** The commands. */
export const clusterCommands: Command[] = [
  {
    name: 'cluster status',
    help: 'lists the nodes of a Citus cluster, which bucket is on which, moves under way, and what to do',
    args: [],
    options: {},
    async run({ databaseUrl }) {
      const status = await withCluster(databaseUrl, readClusterStatus);
      return { json: { ...status }, text: statusText(status) };
    },
  },
  {
    name: 'cluster add-node',
    help: 'makes a server a node of the cluster; it gets the roles of the coordinator with their passwords, and no bucket',
    args: ['HOST', 'PORT'],
    options: {},
    async run({ databaseUrl }, [host, port]) {
      const at = readAddress(`${host}:${port}`);
      const { node, problems } = await addClusterNode(databaseUrl, at);
      const text = [`${addressOf(node)} is a node now.`, ...problems, NEXT_AFTER_ADDING].join('\n');
      return { json: { node, problems }, text };
    },
  },
  {
    name: 'cluster move',
    help: 'moves a bucket to another node while it is written to; a move that is interrupted is undone',
    args: ['BUCKET', 'HOST:PORT'],
    options: {},
    async run({ databaseUrl }, [bucket = '', to = '']) {
      const moved = await moveBucket(databaseUrl, { bucket, to: readAddress(to) }, report);
      const seconds = (moved.ms / 1000).toFixed(1);
      return {
        json: { ...moved },
        text: `${bucket} is at ${to} now. It was at ${addressOf(moved.from)}; the move took ${seconds} s.`,
      };
    },
  },
  {
    name: 'cluster replace-node',
    help: 'lets a promoted standby be the node that its primary was; the old server must be stopped',
    args: ['OLD_HOST:PORT', 'NEW_HOST:PORT'],
    options: {},
    async run({ databaseUrl }, [old = '', next = '']) {
      await replaceNode(databaseUrl, readAddress(old), readAddress(next));
      return { json: { old, new: next }, text: `${next} is what ${old} was.` };
    },
  },
  {
    name: 'cluster rebalance',
    help: 'moves buckets until the nodes have much the same, one after the other; shows what goes where first',
    args: [],
    options: { 'dry-run': { help: 'only shows what goes where' } },
    async run({ databaseUrl }, _, options) {
      const plan = await planRebalance(databaseUrl);
      if (plan.length === 0) return { json: { plan, moved: [] }, text: 'Nothing to move.' };
      if (options['dry-run'] !== undefined) return { json: { plan, moved: [] }, text: planText(plan) };
      report(planText(plan));
      const moved = await makeMoves(databaseUrl, plan, report);
      return { json: { plan, moved }, text: `Moved ${moved.length} of ${plan.length} buckets.` };
    },
  },
];

function planText(plan: PlannedMove[]): string {
  return plan
    .map(
      ({ bucket, from, to, bytes }) =>
        `${bucket}  ${addressOf(from)} -> ${addressOf(to)}  ${sizeText(bytes)}`,
    )
    .join('\n');
}

function readAddress(text: string): NodeAddress {
  const address = parseAddress(text);
  if (!address) throw new UsageError(`a node is HOST:PORT, such as 10.0.0.2:5432, not "${text}"`);
  return address;
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
