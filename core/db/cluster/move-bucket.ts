// Moves one bucket to another node while it is written to: refuses what cannot succeed, reports how far it is, and leaves
// nothing behind that keeps the next move from working.

import type pg from 'pg';

import { monotonicMs, sleep } from '../../base/clock.ts';
import { AppError, notFound } from '../../base/errors.ts';
import { readNodesWithAnswers } from './cluster-status.ts';
import { withCoordinator } from './connect.ts';
import { moveSchema, readLeftOvers, readMoves, tidy, tryLockMoves, unlockMoves } from './move-store.ts';
import { readBucketNode, readKeyless, readPlacedBuckets } from './node-store.ts';
import { addressOf, isAt, type NodeAddress, type NodeStatus, type PlacedBucket } from './node.ts';
import { moveText } from './move-text.ts';

const PROGRESS_EVERY_MS = 3_000;
const LOCK_WAIT_MS = 4_000; // the server finds out within 2 s that a command was killed, and its lock is free
const TIDY_WAIT_MS = 30_000;
const POLL_MS = 500;

/** A move that is done. */
export interface Moved {
  bucket: string;
  from: NodeAddress;
  to: NodeAddress;
  ms: number;
}

/**
 * Moves a bucket. Throws, with the next step, when it is refused; when it breaks off, the bucket is where it was. `log` gets a
 * line every few seconds.
 */
export function moveBucket(
  databaseUrl: string,
  { bucket, to }: { bucket: string; to: NodeAddress },
  log: (line: string) => void,
): Promise<Moved> {
  return withCoordinator(databaseUrl, async (client) => {
    const from = await checkMove(client, bucket, to);
    await lockMoves(client);
    try {
      await tidyUp(client, to, log);
      const startedAt = monotonicMs();
      await withReports(databaseUrl, log, () => moveSchema(client, bucket, to)).catch((error: unknown) =>
        brokeOff(databaseUrl, bucket, to, error),
      );
      return { bucket, from, to, ms: monotonicMs() - startedAt };
    } finally {
      await unlockMoves(client).catch(() => {}); // of a connection that broke it is free by itself
    }
  });
}

// Where it is; throws when it cannot move.
async function checkMove(client: pg.Client, name: string, to: NodeAddress): Promise<NodeAddress> {
  const buckets = await readPlacedBuckets(client);
  const bucket = buckets.find((one) => one.name === name);
  if (!bucket)
    throw new AppError(
      'not_found',
      `No such bucket "${name}". There ${buckets.length === 0 ? 'is none' : `are ${buckets.map((one) => one.name).join(', ')}`}.`,
    );
  const nodes = await readNodesWithAnswers(client);
  checkTarget(nodes, bucket, to);
  const keyless = await readKeyless(client, name);
  if (keyless.length > 0)
    throw new AppError(
      'conflict',
      `${name} cannot move while it is written to: ${keyless.join(', ')} ${keyless.length === 1 ? 'has' : 'have'} no primary key. Add one, by a migration.`,
    );
  return nodes.find((node) => node.groupId === bucket.groupId && !node.isSecondary)!;
}

function checkTarget(nodes: NodeStatus[], bucket: PlacedBucket, to: NodeAddress): void {
  const target = nodes.find((node) => isAt(node, to));
  const refuse = (text: string) => {
    throw new AppError('conflict', text);
  };
  if (!target) {
    const known = nodes.filter((node) => node.keepsBuckets).map(addressOf);
    throw new AppError(
      'not_found',
      `No such node ${addressOf(to)}. There are ${known.join(', ')}; npm run cli -- cluster add-node ${to.host} ${to.port} makes it one.`,
    );
  }
  if (target.groupId === bucket.groupId) refuse(`${bucket.name} is at ${addressOf(to)} already.`);
  if (!target.keepsBuckets)
    refuse(
      `${addressOf(to)} ${target.isCoordinator ? 'is the coordinator, which' : ''} keeps no buckets. To let it: select citus_set_node_property('${to.host}', ${to.port}, 'shouldhaveshards', true).`,
    );
  for (const node of nodes) {
    if (node !== target && (node.isSecondary || node.groupId !== bucket.groupId)) continue;
    const { answer } = node;
    if (typeof answer === 'string')
      throw new AppError('unavailable', `${addressOf(node)} does not answer (${answer}). Start it first.`);
    if (answer.settings['wal_level'] !== 'logical')
      refuse(
        `${addressOf(node)} has wal_level = ${answer.settings['wal_level']}. A bucket moves by logical replication: set wal_level = logical there and restart it.`,
      );
  }
}

async function lockMoves(client: pg.Client): Promise<void> {
  const startedAt = monotonicMs();
  while (!(await tryLockMoves(client))) {
    if (monotonicMs() - startedAt > LOCK_WAIT_MS) return refuseSecond(client);
    await sleep(POLL_MS);
  }
  const others = await readMoves(client);
  if (others.length > 0) await refuseSecond(client);
}

async function refuseSecond(client: pg.Client): Promise<void> {
  const [other] = await readMoves(client);
  throw new AppError(
    'conflict',
    `Another move is under way${other ? ` (${moveText(other)})` : ''}. Wait for its end: npm run cli -- cluster status`,
  );
}

// The connection may have broken after the move was done.
async function brokeOff(databaseUrl: string, name: string, to: NodeAddress, error: unknown): Promise<void> {
  const why = error instanceof Error ? error.message : String(error);
  const at = await withCoordinator(databaseUrl, (client) => readBucketNode(client, name)).catch(() => null);
  if (at && isAt(at, to)) return;
  throw new AppError(
    'unavailable',
    `The move broke off${at ? `, and ${name} stays at ${addressOf(at)}` : ''}: ${why}. See: npm run cli -- cluster status`,
  );
}

// What lies in the way on the target is gone before the move begins; on others Citus tries again by itself.
async function tidyUp(client: pg.Client, to: NodeAddress, log: (line: string) => void): Promise<void> {
  const startedAt = monotonicMs();
  const target = (await readNodesWithAnswers(client)).find((node) => isAt(node, to));
  if (!target) throw notFound(`node ${addressOf(to)}`);
  for (let said = false; ; said = true) {
    await tidy(client);
    const left = (await readLeftOvers(client)).find(({ groupId }) => groupId === target.groupId);
    if (!left) return;
    const objects = `${left.replaced + left.brokenOff} objects that a move before left at ${addressOf(to)}`;
    if (!said) log(`dropping ${objects}`);
    if (monotonicMs() - startedAt > TIDY_WAIT_MS)
      throw new AppError(
        'conflict',
        `${objects} cannot be dropped yet: they are still in use. Try again in a minute.`,
      );
    await sleep(POLL_MS);
  }
}

// Over a connection of its own: that of the move waits for its end. No report is no reason to break off.
async function withReports(
  databaseUrl: string,
  log: (line: string) => void,
  move: () => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const startedAt = monotonicMs();
  const reports = withCoordinator(databaseUrl, async (client) => {
    for (;;) {
      await sleep(PROGRESS_EVERY_MS, ended.signal);
      if (ended.signal.aborted) return;
      const seconds = Math.round((monotonicMs() - startedAt) / 1000);
      for (const one of await readMoves(client)) log(`${moveText(one)}, ${seconds} s`);
    }
  }).catch((error: unknown) => log(`no progress to show: ${String(error)}`));
  try {
    await move();
  } finally {
    ended.abort();
    await reports;
  }
}
