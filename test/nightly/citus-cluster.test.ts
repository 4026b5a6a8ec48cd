// An operator's commands on a real cluster of Citus, with writers on two buckets all the time: nothing that was acknowledged is
// lost, and each command says what is wrong and what comes next.

import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCli } from '../../cli/run-cli.ts';
import { monotonicMs } from '../../core/base/clock.ts';
import { addBucket } from '../../core/db/migrate.ts';
import type { ClusterStatus } from '../../core/db/cluster/cluster-status.ts';
import { addressOf } from '../../core/db/cluster/node.ts';
import { urlOf, withClient, type CitusCluster } from '../../local/servers/citus.ts';
import { startBucketLoad, type BucketLoad } from '../harness/bucket-load.ts';
import {
  addressIn,
  isCitusMissing,
  startCitusRecord,
  startStandby,
  withAddress,
  type CitusRecord,
} from '../harness/citus-record.ts';
import { waitUntil } from '../harness/wait.ts';

const CLI = join(import.meta.dirname, '../../cli/main.ts');
const BUCKETS = ['b1', 'b2'];
const WRITES_PER_SECOND = 100; // on each bucket
const MOVES = 4;
const MOST_STILL_MS = 9_500; // a request's statement may take so long: nobody is refused because of a move
const NEW_WORKER = 'citus-worker-3';
const UNSETTLED = 'citus_0_99999999_1_0'; // of the coordinator, by a process that is not there

const isMissing = await isCitusMissing();

describe.skipIf(isMissing)('nodes of a cluster', () => {
  let record: CitusRecord;
  let cluster: CitusCluster;
  let urls: string[];
  let coordinator: string;
  let workers: string[];
  let loads: BucketLoad[];

  beforeAll(async () => {
    record = await startCitusRecord();
    cluster = record.cluster;
    urls = record.urls();
    [coordinator = '', ...workers] = urls.map(addressIn);
    for (const bucket of BUCKETS) await addBucket(urls[0]!, bucket);
    loads = BUCKETS.map((bucket) => startBucketLoad(urls[0]!, bucket, WRITES_PER_SECOND));
    await waitUntil(() => loads.every((load) => load.lap().acknowledged > 0));
  });

  afterAll(async () => {
    await Promise.all((loads ?? []).map((load) => load.stop()));
    await record?.close();
  });

  async function cli(line: string, url = urls[0]!) {
    let out = '';
    let err = '';
    const code = await runCli(line.split(' '), {
      env: { DATABASE_URL: url },
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
  async function status(url = urls[0]!): Promise<ClusterStatus> {
    return JSON.parse((await cli('cluster status --json', url)).out) as ClusterStatus;
  }
  async function nodeOf(bucket: string): Promise<string> {
    const { buckets } = await status();
    return addressOf(buckets.find(({ name }) => name === bucket)!.node);
  }
  function otherThan(node: string): string {
    return workers.find((worker) => worker !== node)!;
  }
  async function move(bucket: string, to: string) {
    if ((await nodeOf(bucket)) === to) return;
    expect(await cli(`cluster move ${bucket} ${to}`)).toMatchObject({ code: 0, err: '' });
  }
  // PostgreSQL starts once all processes of the one before are gone.
  async function startAgain(name: string) {
    await waitUntil(() =>
      cluster.start(name).then(
        () => true,
        () => false,
      ),
    );
    await waitUntil(async () => (await status()).advice.length === 0, { what: `${name} to be back` });
  }
  async function nothingIsLost(from = urls[0]!) {
    for (const load of loads) expect(await load.missing(from)).toEqual([]);
  }

  test('the buckets are on nodes, with their sizes', async () => {
    const { nodes, buckets, work, advice } = await status();
    expect(nodes.map((node) => [addressOf(node), node.isCoordinator, node.isSynced])).toEqual([
      [coordinator, true, true],
      ...workers.map((worker) => [worker, false, true]),
    ]);
    expect(buckets.map(({ name }) => name)).toEqual(BUCKETS);
    for (const { bytes, node } of buckets) {
      expect(bytes).toBeGreaterThan(1_000_000);
      expect(workers).toContain(addressOf(node));
    }
    expect(work).toMatchObject({ isMoving: false, moves: [] });
    expect(advice).toEqual([]);
  });

  test('what cannot move is refused, with what to do', async () => {
    const at = await nodeOf('b1');
    const to = otherThan(at);
    const refused = async (line: string) => {
      const { code, err } = await cli(line);
      expect(code).toBe(1);
      return err;
    };
    expect(await refused(`cluster move b9 ${to}`)).toBe('No such bucket "b9". There are b1, b2.\n');
    expect(await refused('cluster move b1 127.0.0.1:1')).toMatch(
      /No such node 127\.0\.0\.1:1\..*cluster add-node/,
    );
    expect(await refused(`cluster move b1 ${at}`)).toBe(`b1 is at ${at} already.\n`);
    expect(await refused(`cluster move b1 ${coordinator}`)).toContain(
      'is the coordinator, which keeps no buckets',
    );
    expect(await cli('cluster move b1 somewhere')).toMatchObject({ code: 2 });
    expect(await refused('cluster add-node 127.0.0.1 1')).toContain('The coordinator cannot connect');
    const worker = urls.find((url) => addressIn(url) === at)!;
    expect((await cli(`cluster move b1 ${to}`, worker)).err).toContain(`the coordinator at ${coordinator}`);

    await withClient(urls[0]!, async (client) => {
      await client.query('create table b1.keyless (at int)');
      expect(await refused(`cluster move b1 ${to}`)).toContain('keyless has no primary key');
      await client.query('drop table b1.keyless');
    });
  });

  test('a bucket moves to and fro while it is written to', async () => {
    for (const load of loads) load.lap();
    for (let i = 0; i < MOVES; i++) await move('b1', otherThan(await nodeOf('b1')));
    const [b1, b2] = loads.map((load) => load.lap());
    console.log(
      `${MOVES} moves: b1 ${b1!.acknowledged} writes, stood still ${ms(b1!.longestMs)}; ` +
        `b2 ${b2!.acknowledged} writes, longest ${ms(b2!.longestMs)}`,
    );
    expect([b1!.failed, b2!.failed]).toEqual([[], []]);
    expect(b1!.longestMs).toBeLessThan(MOST_STILL_MS);
    await nothingIsLost();
  });

  test('a command that is killed half-way leaves nothing that keeps the next from moving', async () => {
    const from = await nodeOf('b1');
    const to = otherThan(from);
    const killAt = async (phase: string) => {
      const mover = startMove('b1', to, urls[0]!);
      await waitUntil(async () => (await status()).work!.moves.some((one) => one.phase.startsWith(phase)));
      mover.kill('SIGKILL');
      await waitUntil(async () => !(await status()).work!.isMoving);
    };
    await killAt('setting up');
    expect(await nodeOf('b1')).toBe(from);
    expect((await status()).advice.join('\n')).toMatch(/objects? of a move that broke off/);
    await killAt('creating'); // which may be too late
    await move('b1', from);
    // As a coordinator leaves it that dies between the two steps of a commit.
    await withClient(withAddress(urls[0]!, to), async (client) => {
      await client.query('begin');
      await client.query('select txid_current()');
      await client.query(`prepare transaction '${UNSETTLED}'`);
    });
    await move('b1', to);
    await withClient(withAddress(urls[0]!, to), async (client) => {
      const { rows } = await client.query('select from pg_prepared_xacts where gid = $1', [UNSETTLED]);
      expect(rows).toEqual([]);
    });
    await waitUntil(async () => (await status()).advice.length === 0, { what: 'what is left to be dropped' });
    await nothingIsLost();
    expect(loads.flatMap((load) => load.lap().failed)).toEqual([]);
  });

  test('of two moves at a time the second is refused', async () => {
    const from = await nodeOf('b1');
    const other = otherThan(await nodeOf('b2'));
    const first = cli(`cluster move b1 ${otherThan(from)}`);
    await waitUntil(async () => (await status()).work!.isMoving);
    expect((await cli(`cluster move b2 ${other}`)).err).toMatch(
      /^Another move is under way \(b1 to .*Wait for its end/,
    );
    expect(await first).toMatchObject({ code: 0 });
    expect(await nodeOf('b1')).toBe(otherThan(from));
  });

  test('a move to a worker that dies meanwhile breaks off, and the bucket stays', async () => {
    const from = await nodeOf('b1');
    await move('b2', from); // whose writers are not to meet the dead node
    const to = otherThan(from);
    const moving = cli(`cluster move b1 ${to}`);
    await waitUntil(async () => (await status()).work!.moves.length > 0);
    for (const load of loads) load.lap();
    await cluster.stopOne(nameOf(to));
    expect(await moving).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The move broke off, and b1 stays at ${from}`),
    });
    expect((await status()).advice.join('\n')).toMatch(`${to} still has`);
    await startAgain(nameOf(to));
    expect(loads.flatMap((load) => load.lap().failed)).toEqual([]);
    await move('b1', to);
    await nothingIsLost();
  });

  test('a worker that is away is named, and nothing moves to it', async () => {
    await move('b1', otherThan(await nodeOf('b2')));
    const away = await nodeOf('b2');
    const name = nameOf(away);
    await cluster.stopOne(name);
    for (const load of loads) load.lap();
    const { advice, buckets } = await status();
    expect(advice).toEqual([expect.stringContaining(`${away} does not answer`)]);
    expect(advice[0]).toContain('Statements on b2 fail');
    expect(buckets.find((bucket) => bucket.name === 'b2')!.bytes).toBeNull();
    expect((await cli(`cluster move b1 ${away}`)).err).toMatch(`${away} does not answer`);
    expect((await cli('cluster rebalance')).err).toMatch(`${away} does not answer`);
    await waitUntil(() => loads[0]!.lap().acknowledged > 0);
    await startAgain(name);
    loads[1]!.lap();
    await waitUntil(() => loads[1]!.lap().acknowledged > 0);
    await nothingIsLost();
    for (const load of loads) load.lap();
  });

  test('with the coordinator away, any worker answers for all buckets', async () => {
    const worker = urls[1]!;
    const through = BUCKETS.map((bucket) => startBucketLoad(worker, bucket, WRITES_PER_SECOND));
    await cluster.stopOne('citus');
    for (const load of through) load.lap();
    const { advice, work } = await status(worker);
    expect(advice).toEqual([expect.stringContaining(`${coordinator} does not answer`)]);
    expect(work).toBeNull();
    let [writes, failed] = [0, [] as string[]];
    await waitUntil(() => {
      const laps = through.map((load) => load.lap());
      writes += laps.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
      failed = [...failed, ...laps.flatMap((lap) => lap.failed)];
      return writes > 500;
    });
    expect(failed).toEqual([]);
    await startAgain('citus');
    for (const load of through) {
      expect(await load.missing(urls[0]!)).toEqual([]);
      await load.stop();
    }
    await nothingIsLost();
    for (const load of loads) load.lap();
  });

  test('a server becomes a node, and buckets spread over the nodes', async () => {
    await move('b1', await nodeOf('b2'));
    const server = await cluster.start(NEW_WORKER);
    await withClient(server('postgres'), (client) => client.query('create database record'));
    await withClient(server('record'), (client) => client.query('create extension citus'));
    const address = addressIn(server('record'));
    const [host, port] = address.split(':');
    for (const load of loads) load.lap();
    const startedAt = monotonicMs();
    const added = await cli(`cluster add-node ${host} ${port}`);
    const longest = loads.map((load) => ms(load.lap().longestMs));
    console.log(`add-node took ${ms(monotonicMs() - startedAt)}; longest writes ${longest.join(', ')}`);
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toBe(
      `${address} is a node now.\nIt has no bucket yet. What would move to it: npm run cli -- cluster rebalance --dry-run\n`,
    );
    expect((await cli(`cluster add-node ${host} ${port}`)).err).toBe(`${address} is a node already.\n`);
    const before = await status();
    const { out } = await cli('cluster rebalance --dry-run');
    expect(out).toMatch(/^b[12] {2}\S+ -> \S+ {2}\S+ MB\n$/);
    expect((await status()).buckets.map(({ groupId }) => groupId)).toEqual(
      before.buckets.map(({ groupId }) => groupId),
    );
    expect(await cli('cluster rebalance')).toMatchObject({ code: 0, out: 'Moved 1 of 1 buckets.\n' });
    expect(new Set((await status()).buckets.map(({ groupId }) => groupId)).size).toBe(2);
    expect((await cli('cluster rebalance')).out).toBe('Nothing to move.\n');
    await nothingIsLost(server('record'));
    expect(loads.flatMap((load) => load.lap().failed)).toEqual([]);
  });

  test('a promoted standby takes the place of its node', async () => {
    const old = await nodeOf('b2');
    const standby = await startStandby(record, old, nameOf(old));
    const next = addressIn(standby('record'));
    await waitUntil(async () => (await cli('cluster status')).out.includes('streaming'));
    expect((await cli(`cluster replace-node ${old} ${next}`)).err).toContain(`${old} answers. Stop it first`);
    await cluster.stopOne(nameOf(old));
    expect((await cli(`cluster replace-node ${old} ${next}`)).err).toContain(
      'is a standby. Promote it first',
    );
    expect((await cli(`cluster replace-node ${old} 127.0.0.1:1`)).err).toContain('does not answer');
    await withClient(standby('record'), (client) => client.query('select pg_promote()'));
    const startedAt = monotonicMs();
    expect(await cli(`cluster replace-node ${old} ${next}`)).toMatchObject({ code: 0 });
    console.log(`replace-node took ${ms(monotonicMs() - startedAt)}`);
    loads[1]!.lap();
    await waitUntil(() => loads[1]!.lap().acknowledged > 0);
    expect(await nodeOf('b2')).toBe(next);
    await waitUntil(async () => (await status()).advice.length === 0);
    await nothingIsLost();
  });

  test('a database on one PostgreSQL says so', async () => {
    await withClient(urlOf(urls[0]!, 'postgres'), (client) => client.query('create database alone'));
    const url = urlOf(urls[0]!, 'alone');
    expect(await cli('cluster status', url)).toEqual({
      code: 1,
      out: '',
      err: 'This database is one PostgreSQL, not a Citus cluster: it has no nodes.\n',
    });
  });

  function nameOf(address: string): string {
    const names = ['citus', 'citus-worker-1', 'citus-worker-2'];
    return names[[coordinator, ...workers].indexOf(address)] ?? NEW_WORKER;
  }
});

function startMove(bucket: string, to: string, url: string): ChildProcess {
  return spawn(process.execPath, [CLI, 'cluster', 'move', bucket, to], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'ignore',
  });
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
