// PostgreSQL as three servers under Patroni; the machine of the primary dies or freezes under load. Nothing accepted is
// lost, no cap is passed, nothing is repeated but what was in DATA, the full rate comes back, and the old primary, back
// again, follows the new one. The long form has 20 of them, and asks for 30 s on a machine that has nothing else to do
// (TMPDIR=/dev/shm: the disk is not what is measured).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { migrate } from '../../core/db/migrate.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import {
  postgresClusterMissing,
  startPostgresCluster,
  untilWhole,
  type PostgresCluster,
} from '../../local/cluster/postgres.ts';
import { startWatchdog, type Watchdog } from '../../local/servers/watchdog.ts';
import type { Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { untilDayIsLongEnough, waitUntil } from '../harness/wait.ts';

const FAILOVERS = longForm(2, 20);
const CLIENTS = 8;
const PACE_MS = 200; // of each client: 40 messages a second in all
// In `npm test` the machine has other work: with a load of 40 it answered 12 to 24 a second without any fault.
const FULL_RATE = longForm(0.3, 0.9) * (CLIENTS / (PACE_MS / 1000));
const FULL_SECONDS = 3; // in a row
const CAPPED_EVERY_MS = 400;
const BACK_LIMIT_MS = longForm(120_000, 30_000);
const FAULT_MS = 240_000; // the longest on a busy machine
const CAP = 50; // of tier 0

describe.skipIf(skips(postgresClusterMissing()))('the machine of the primary', () => {
  let folder: string;
  let watchdog: Watchdog;
  let cluster: PostgresCluster;
  let stack: Stack;
  let sender: SenderClient;
  let inData = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-failover-'));
    watchdog = startWatchdog();
    cluster = await startPostgresCluster(folder, watchdog);
    await migrate(cluster.url);
    stack = await createStack({
      senders: 2,
      env: { DATABASE_URL: cluster.url },
      sink: { data: () => (inData++, '354 go on'), dot: () => (inData--, '250 2.0.0 taken') },
    });
    sender = openSender(
      { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() },
      stack.context.log,
    );
  }, 300_000);

  afterAll(async () => {
    sender?.close();
    await stack?.close();
    await cluster?.stop();
    watchdog?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const accepted = new Map<string, string>(); // recipient → what the answer said
  let repeatedBefore = 0;
  let rate: number[] = []; // answers to the clients at full rate, in each second since they began

  // As any client of ours: what was not answered well goes out again under the same id.
  async function send(account: Account, to: string): Promise<void> {
    const message = OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: [to],
      subject: 'Failover',
      text: 'x',
    });
    const tenantId = toId('tnt', account.tenantId);
    const request = SendRequest.fromPartial({ tenantId, messageId: toId('msg', newUuid()), message });
    for (;;) {
      const { outcome } = await sender
        .send(request)
        .catch((error: { code: string }) => ({ outcome: { $case: 'error', value: error } }) as const);
      if (outcome?.$case === 'sent') {
        accepted.set(to, outcome.value.status);
        return;
      }
      expect(outcome?.value.code).toBe('unavailable');
      await sleep(PACE_MS);
    }
  }

  // Sends at the pace of all clients until `isOver` says so; `rate` tells how many were answered in each second.
  async function sendAtFullRate(account: Account, prefix: string, since: number, isOver: () => boolean) {
    let next = 0;
    const client = async () => {
      while (!isOver()) {
        const startedAt = monotonicMs();
        await send(account, `${prefix}${next++}@sink.test`);
        const second = Math.floor((monotonicMs() - since) / 1000);
        rate[second] = (rate[second] ?? 0) + 1;
        await sleep(Math.max(0, PACE_MS - (monotonicMs() - startedAt)));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  /** The first of so many whole seconds in a row at the full rate, not before `from`; -1 while there is none. */
  function fullFrom(from: number): number {
    const isFull = (second: number) => second < rate.length - 1 && (rate[second] ?? 0) >= FULL_RATE;
    const seconds = Array.from({ length: FULL_SECONDS }, (_, n) => n);
    return Array.from(rate.keys()).findIndex(
      (second) => second >= from && seconds.every((n) => isFull(second + n)),
    );
  }

  const faults = Array.from({ length: FAILOVERS }, (_, n) => [n % 2 === 0 ? 'dies' : 'freezes', n] as const);
  test.each(faults)('%s (%i)', { timeout: 2 * FAULT_MS }, async (how, n) => {
    await untilDayIsLongEnough(FAULT_MS);
    const before = await untilWhole(cluster);
    const [large, small] = [await stack.makeAccount({ tier: 8 }), await stack.makeAccount()];
    rate = [];
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    const since = monotonicMs();
    const clients = sendAtFullRate(large, `f${n}-`, since, () => isOver);
    // More than the cap, over the whole fault.
    const capped = Promise.all(
      Array.from({ length: CAP + 10 }, async (_, i) => {
        await sleep(i * CAPPED_EVERY_MS);
        await send(small, `c${n}-${i}@sink.test`);
      }),
    );
    await waitUntil(() => fullFrom(0) >= 0, { what: () => `the full rate: ${rate.join(' ')}` });

    await (how === 'dies' ? before.machine.kill() : before.machine.freeze());
    const brokenAt = monotonicMs();
    const inDataThen = inData;
    const fullAgain = () => fullFrom(Math.ceil((brokenAt - since) / 1000));
    try {
      await waitUntil(() => fullAgain() >= 0, {
        limitMs: BACK_LIMIT_MS + 60_000,
        what: () => `the full rate after the failover: ${rate.join(' ')}`,
      });
    } finally {
      if (how === 'freezes') await before.machine.thaw(); // nothing that is frozen can be stopped in good order
    }
    const backMs = since + fullAgain() * 1000 - brokenAt;
    await capped;
    const whole = await untilWhole(cluster); // starts what is dead
    isOver = true;
    await clients;
    expect(whole.machine.name, 'the primary after all').not.toBe(before.machine.name);
    expect(whole.timeline, 'of all three').toBeGreaterThan(before.timeline);

    const mine = [...accepted].filter(([to]) => to.startsWith(`f${n}-`) || to.startsWith(`c${n}-`));
    const queued = mine.filter(([, status]) => status === 'queued').map(([to]) => to);
    const arrivals = () => stack.sink.messages.map(({ rcptTo }) => rcptTo);
    const missing = () => queued.filter((to) => !arrivals().includes(to));
    await waitUntil(() => missing().length === 0, { what: () => `accepted messages: ${missing().join()}` });
    const ofLarge = queued.filter((to) => to.startsWith('f')).length;
    await waitUntil(async () => (await stack.countByState(large))['delivered'] === ofLarge, {
      what: 'every delivery to be recorded',
    });
    const repeated = arrivals().length - new Set(arrivals()).size - repeatedBefore;
    repeatedBefore += repeated;
    console.log(
      `${how}: full rate after ${(backMs / 1000).toFixed(1)} s, ${mine.length} accepted, ${repeated} repeated, ` +
        `${inDataThen} in DATA, timeline ${before.timeline} → ${whole.timeline}`,
    );
    expect(queued.filter((to) => to.startsWith('c'))).toHaveLength(CAP);
    expect(arrivals().filter((to) => to.startsWith(`c${n}-`))).toHaveLength(CAP);
    expect(repeated).toBeLessThanOrEqual(inDataThen);
    expect(backMs).toBeLessThan(BACK_LIMIT_MS);
  });
});
