// Senders at work on two buckets of a Citus cluster, each on a node of its own, while buckets move and nodes die: nothing that
// was accepted is lost, nothing is sent twice, and the caps are exact.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCli } from '../../cli/run-cli.ts';
import { sleep } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import type { ClusterStatus } from '../../core/db/cluster/cluster-status.ts';
import { addressOf } from '../../core/db/cluster/node.ts';
import { addBucket } from '../../core/db/migrate.ts';
import { SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { withClient, type CitusCluster } from '../../local/servers/citus.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import {
  addressIn,
  isCitusMissing,
  startCitusRecord,
  startStandby,
  type CitusRecord,
} from '../harness/citus-record.ts';
import { startSteadySends, textOfTimes } from '../harness/steady-sends.ts';
import { waitUntil } from '../harness/wait.ts';

const CLI = join(import.meta.dirname, '../../cli/main.ts');
const BUCKETS = ['b1', 'b2'] as const;
const MOVES = longForm(2, 6);
const PER_SECOND = longForm(20, 50); // to each bucket
const COLD_SENDS = 70; // to a domain with a cap of 50, through the whole of a drill
const CAP = 50;
const AWAY_MS = longForm(5_000, 30_000);
const BEFORE_MS = longForm(2_000, 20_000);
const DELIVERED_WITHIN_MS = 120_000; // claims of a worker that was away, and their retries
const AGAIN_MS = 1_000; // between two tries of a send; answers ask for two seconds
const TEST_LIMIT_MS = 1_200_000; // twenty moves beside 100 messages a second took six minutes

const isMissing = await isCitusMissing();

describe.skipIf(isMissing)('senders on two nodes', () => {
  let record: CitusRecord;
  let cluster: CitusCluster;
  let stack: Stack;
  let sender: SenderClient;

  beforeAll(async () => {
    record = await startCitusRecord();
    cluster = record.cluster;
    for (const bucket of BUCKETS) await addBucket(coordinator(), bucket);
    const env = { DATABASE_URL: coordinator(), WORKER_LEASE_MS: '2000' };
    stack = await createStack({ senders: 2, env });
    sender = openSender(
      { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() },
      stack.context.log,
    );
  }, 240_000);

  afterAll(async () => {
    sender?.close();
    await stack?.close();
    await record?.close();
  });

  const coordinator = () => record.urls()[0]!;

  async function cli(line: string): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCli(line.split(' '), {
      env: { DATABASE_URL: coordinator() },
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
  async function nodeOf(bucket: string): Promise<string> {
    const { buckets } = JSON.parse((await cli('cluster status --json')).out) as ClusterStatus;
    return addressOf(buckets.find(({ name }) => name === bucket)!.node);
  }
  async function otherNode(bucket: string): Promise<string> {
    const at = await nodeOf(bucket);
    return record
      .urls()
      .slice(1)
      .map((url) => new URL(url).host)
      .find((host) => host !== at)!;
  }
  async function move(bucket: string): Promise<void> {
    expect(await cli(`cluster move ${bucket} ${await otherNode(bucket)}`)).toMatchObject({ code: 0 });
  }
  async function nameOfNode(bucket: string): Promise<string> {
    const at = await nodeOf(bucket);
    return `citus-worker-${record.urls().findIndex((url) => new URL(url).host === at)}`;
  }
  // Its standby has all that was acknowledged, and is where the services were told that the node is.
  async function isReplaced(bucket: string): Promise<void> {
    const old = await nodeOf(bucket);
    const name = await nameOfNode(bucket);
    const standby = await startStandby(record, old, name);
    await waitUntil(async () => (await cli('cluster status')).out.includes('streaming'));
    await cluster.stopOne(name);
    await withClient(standby('record'), (client) => client.query('select pg_promote()'));
    const next = addressIn(standby('record'));
    expect(await cli(`cluster replace-node ${old} ${next}`)).toMatchObject({ code: 0 });
  }
  // How much mail arrived meanwhile.
  async function isAway(name: string): Promise<number> {
    await cluster.stopOne(name);
    const before = stack.sink.messages.length;
    await sleep(AWAY_MS);
    const meanwhile = stack.sink.messages.length - before;
    await waitUntil(() => cluster.start(name).then(...TRUE_OR_FALSE));
    return meanwhile;
  }

  const drills: Record<string, () => Promise<unknown>> = {
    'a bucket moves to and fro': async () => {
      for (let n = 0; n < MOVES; n++) await move('b1');
    },
    'who moves a bucket is killed half-way, and it moves after all': async () => {
      const mover = spawn(process.execPath, [CLI, 'cluster', 'move', 'b1', await otherNode('b1')], {
        env: { ...process.env, DATABASE_URL: coordinator() },
        stdio: 'ignore',
      });
      await waitUntil(async () => (await cli('cluster status')).out.includes('Moving b1'));
      mover.kill('SIGKILL');
      await waitUntil(async () => (await cli('cluster status')).out.includes('No bucket is moving'));
      await move('b1');
    },
    'a worker is away, and the mail of the other bucket is delivered': async () =>
      expect(await isAway(await nameOfNode('b2'))).toBeGreaterThan((PER_SECOND * AWAY_MS) / 1000 / 2),
    'the coordinator is away, which everybody is connected to': () => isAway('citus'),
    'a worker dies, and its standby takes its place': () => isReplaced('b2'), // the last: its node is gone
  };

  test.each(Object.entries(drills))(
    '%s',
    async (name, drill) => {
      if ((await nodeOf('b1')) === (await nodeOf('b2'))) await move('b2');
      const account = (bucket: string, options = {}) =>
        makeSignedAccount({ ...stack.context, db: stack.context.buckets.database(bucket) }, options);
      const warm = await Promise.all(BUCKETS.map((bucket) => account(bucket, { tier: 10 })));
      const cold = await Promise.all(BUCKETS.map((bucket) => account(bucket)));
      const sendCold = async (one: Account) => {
        const states: string[] = [];
        for (let n = 0; n < COLD_SENDS; n++) states.push(await send(one, `c${n}`));
        return states;
      };
      const sends = warm.map((one) =>
        startSteadySends(PER_SECOND, async (n) => expect(await send(one, `w${n}`)).toBe('queued')),
      );
      await sleep(BEFORE_MS);
      const before = sends.map((one) => textOfTimes(one.lap()));
      const capped = Promise.all(cold.map(sendCold));
      let during: number[][] = [];
      try {
        await drill();
        during = sends.map((one) => one.lap());
      } finally {
        await Promise.all(sends.map((one) => one.stop()));
      }
      const states = await capped;
      for (const one of states) {
        expect(new Set(one)).toEqual(new Set(['queued', 'deferred']));
        expect(one.filter((state) => state === 'queued')).toHaveLength(CAP);
        expect(one.filter((state) => state === 'deferred')).toHaveLength(COLD_SENDS - CAP);
      }
      const expected = [
        ...warm.map((one, at) => [one, sends[at]!.count()] as const),
        ...cold.map((one) => [one, CAP] as const),
      ];
      for (const [one, accepted] of expected) {
        const arrived = () =>
          stack.sink.messages.filter(({ rcptTo }) => rcptTo.endsWith(`.${one.domain}@sink.test`));
        const all = waitUntil(() => arrived().length >= accepted, {
          limitMs: DELIVERED_WITHIN_MS,
          everyMs: 200,
          what: () => `${accepted} of ${one.domain} to be delivered, of which ${arrived().length} are`,
        });
        await all.catch(async (error: Error) => {
          throw new Error(`${error.message}; the others: ${await othersOf(one)}`);
        });
        expect(new Set(arrived().map(({ rcptTo }) => rcptTo)).size).toBe(accepted);
        expect(arrived()).toHaveLength(accepted);
      }
      for (const [at, bucket] of BUCKETS.entries())
        console.log(
          `${name}: ${bucket} ${sends[at]!.count()} accepted; before ${before[at]}; ` +
            `meanwhile ${during[at]!.length}, ${textOfTimes(during[at]!)}`,
        );
    },
    TEST_LIMIT_MS,
  );

  /** What the messages of an account wait for that are not delivered. */
  async function othersOf({ tenantId, domainId }: Account): Promise<string> {
    const { pool } = stack.context.buckets.database(await stack.context.buckets.ofTenant(tenantId));
    const { rows } = await pool.query(
      `select state, defer_reason, claimed_by is null as unclaimed, count(*)::int, min(next_attempt_at), max(next_attempt_at),
         (array_agg(decisions->-1))[1] as decision
       from messages where domain_id = $1 and state <> 'delivered' group by 1, 2, 3`,
      [domainId],
    );
    return JSON.stringify(rows);
  }

  // As an api does it: what gets no answer is sent again under the same id.
  async function send({ tenantId, domain }: Account, name: string): Promise<string> {
    const request = SendRequest.fromPartial({
      tenantId: toId('tnt', tenantId),
      messageId: toId('msg', newUuid()),
      message: { from: `a@${domain}`, to: [`${name}.${domain}@sink.test`], subject: 'Drill', text: 'x' },
    });
    let answer = '';
    await waitUntil(
      async () => {
        const reply = await sender.send(request).catch(() => null);
        if (!reply) return false;
        answer = reply.outcome!.$case === 'sent' ? reply.outcome!.value.status : reply.outcome!.value.code;
        return answer !== 'unavailable';
      },
      { limitMs: AWAY_MS + DELIVERED_WITHIN_MS, everyMs: AGAIN_MS },
    );
    return answer;
  }
});

const TRUE_OR_FALSE = [() => true, () => false] as const;
