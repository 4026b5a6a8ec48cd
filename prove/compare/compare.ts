// `npm run prove -- --compare`: the same mail, the same kills and freezes, the same receivers, for Postrider and for other mail
// servers of this machine: what was accepted and never came, and what came twice.

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { sleep } from '../../core/base/clock.ts';
import { readEvidence, type Evidence } from '../audit/evidence.ts';
import type { Transaction } from '../audit/transactions.ts';
import { overlaps } from '../audit/fault.ts';
import { saidYes } from '../audit/reply.ts';
import { openJournal, readJournal, type Journal } from '../journal.ts';
import { startOutside, type Outside } from '../outside.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import { signal, type MailServer } from './mail-server.ts';
import { offerMail } from './offer.ts';

/** One row of the table. */
export interface Compared {
  name: string;
  /** Answered with 250. */
  accepted: number;
  /** Without an answer: it may have been stored. */
  unknown: number;
  kills: number;
  freezes: number;
  /** Accepted, and no receiver said 2xx to it. */
  lost: number;
  /** Times that a receiver said 2xx to what it had said 2xx to before. */
  repeats: number;
  /** Of these, without a fault or a broken connection while the receiver had it the first time. */
  unexplained: number;
  /** Seconds from the last fault until all had come, null when it was not all. */
  settledAfter: number | null;
}

/** What a mail server is started with. */
export interface Surroundings {
  runDir: string;
  journal: Journal;
  outside: Outside;
}

/** How it goes. */
export interface Comparison {
  seed: number;
  seconds: number;
  perSecond: number;
  folder: string;
  say(line: string): void;
}

const SETTLE_MS = 180_000; // more than any of them needs to try everything again
const PAUSE_MS = { least: 1_500, spread: 5_000 }; // between two faults: some meet a server that is starting
const FREEZE_MS = 2_000;
const FREEZES = 0.25; // of all faults
const RECORD_MS = 1_000; // a verdict that was written may take this long to be recorded by a busy sender

/** Compares one mail server. `open` starts it; all that it sends goes to the given port of 127.0.0.1. */
export async function compare(
  open: (at: Surroundings) => Promise<MailServer>,
  how: Comparison,
): Promise<Compared> {
  mkdirSync(how.folder, { recursive: true });
  const runDir = mkdtempSync(join(how.folder, 'compare-'));
  const journal = openJournal(runDir, 'compare');
  const outside = await startOutside(runDir);
  outside.setDay('2000-01-01');
  const server = await open({ runDir, journal, outside });
  try {
    how.say(`${server.name}: ${how.perSecond} messages a second for ${how.seconds} s, under faults`);
    let over = false;
    const offering = offerMail(server.login, journal, how).finally(() => (over = true));
    const faults = await driveFaults(server, journal, how.seed, () => over);
    await offering;
    const settledAfter = await settle(runDir);
    return { name: server.name, ...faults, ...count(readEvidence(readJournal(runDir))), settledAfter };
  } finally {
    await server.stop();
    await outside.stop();
    journal.close();
  }
}

async function driveFaults(server: MailServer, journal: Journal, seed: number, over: () => boolean) {
  const random = seeded(seed);
  const done = { kills: 0, freezes: 0 };
  for (let n = 1; !over(); n += 1) {
    await sleep(PAUSE_MS.least + random() * PAUSE_MS.spread);
    const freezes = random() < FREEZES;
    const fault = {
      kind: 'fault',
      fault: `fault-${n}`,
      name: freezes ? 'freeze' : 'kill',
      target: 'all',
      pid: null,
      detail: null,
    } as const;
    journal.append({ ...fault, phase: 'begun' });
    if (freezes) {
      const pids = server.pids();
      signal(pids, 'SIGSTOP');
      await sleep(FREEZE_MS);
      signal(pids, 'SIGCONT');
      done.freezes += 1;
    } else {
      await server.kill();
      journal.append({ ...fault, phase: 'ended' });
      await server.restart();
      done.kills += 1;
      continue;
    }
    journal.append({ ...fault, phase: 'ended' });
  }
  return done;
}

async function settle(runDir: string): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < SETTLE_MS) {
    await sleep(1_000);
    if (count(readEvidence(readJournal(runDir))).lost === 0)
      return Math.round((performance.now() - startedAt) / 1_000);
  }
  return null;
}

function count({ asked, wire, faults }: Evidence) {
  const of = (outcome: string) => asked.filter(({ answer }) => (answer?.outcome ?? 'unknown') === outcome);
  const accepted = of('taken');
  const came = new Map(
    [...wire].map(([recipient, all]) => [recipient, all.filter(({ verdict }) => saidYes(verdict))]),
  );
  const lost = accepted.filter(({ request }) => !came.get(request.recipients[0]!)?.length).length;
  const again = [...came.values()].flatMap((times) => times.slice(0, -1));
  const explained = ({ dataAt, verdict }: Transaction) =>
    !verdict!.written || faults.some((fault) => overlaps(fault, dataAt!, verdict!.t + RECORD_MS));
  return {
    accepted: accepted.length,
    unknown: of('unknown').length,
    lost,
    repeats: again.length,
    unexplained: again.filter((one) => !explained(one)).length,
  };
}
