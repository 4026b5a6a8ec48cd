// Part "peers": Postfix and Haraka beside us. Each takes the same mail and passes it on to the same sink on this machine, one
// after the other, several times around; the median counts. Postfix and Haraka sign nothing, check no key, quota or cap, and keep
// no record of what came of a message.

import { startHaraka } from '../prove/compare/haraka.ts';
import { pidsIn } from '../prove/compare/mail-server.ts';
import { postfixMissing, startRelay } from '../test/harness/postfix.ts';
import { drained, sendSteadily } from './end-to-end.ts';
import type { Figure } from './figure.ts';
import { median } from './median.ts';
import type { Bench } from './stack/bench.ts';
import { cpuSeconds } from './stack/cpu-time.ts';
import { RECIPIENT_DOMAINS } from './sample-mail.ts';
import { readTree } from './stack/process-tree.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import { loginsOf } from './submission-load.ts';
import type { Login, MailLoad, MailLoadResult } from './workers/mail-client.ts';

const ROUNDS = 5;
const QUICK_ROUNDS = 2;
const SECONDS = 8;
const QUICK_SECONDS = 4;
const CONNECTIONS = 40;
const DELIVERED_PER_SECOND = 2_000;
const TIMES_POSTFIX = 3;
const OCTETS = 3_300; // as the sample mail has on the wire
const KEYS_A_ROUND = 80; // of 400; each sends 500 messages and may send 600 a minute
const GRPC = 'Postrider, gRPC';
const POSTFIX = 'Postfix';

/** A mail server under load. */
interface Peer {
  name: string;
  /** Gives it mail for some seconds; returns how much it accepted. */
  send(seconds: number): Promise<number>;
  /** Its processes, stores included. */
  pids(): number[] | Promise<number[]>;
  stop(): unknown;
  rates: number[];
  /** Milliseconds of CPU for each message. */
  costs: number[];
}

/** Runs the part. */
export async function measurePeers(bench: Bench): Promise<Figure[]> {
  const { quick } = bench.options;
  const stack = await startStack(bench, { api: true, part: 'peers' });
  const peers: Peer[] = [];
  try {
    peers.push(...ours(bench, stack));
    for (const start of [startPostfix, startHarakaOfNpm]) {
      const peer = await start(bench, stack);
      if (peer) peers.push(peer);
    }
    for (let round = 1; round <= (quick ? QUICK_ROUNDS : ROUNDS); round++) {
      for (const peer of peers) await measureOnce(bench, stack, peer, quick ? QUICK_SECONDS : SECONDS);
    }
    return peers.map((peer) => toFigure(peer)).concat(ratio(peers));
  } finally {
    for (const peer of peers) await peer.stop();
    await stack.close();
  }
}

// From the first message until the last one was delivered: who accepts quickly and delivers later gains nothing.
async function measureOnce(bench: Bench, { sink }: Stack, peer: Peer, seconds: number): Promise<void> {
  const before = await sink.counts();
  const cpuBefore = await cpuSeconds(await peer.pids());
  const startedAt = performance.timeOrigin + performance.now();
  const accepted = await peer.send(seconds);
  const delivered = await drained(sink, before.messages, accepted);
  if (delivered !== accepted) throw new Error(`${peer.name} delivered ${delivered} of ${accepted}`);
  const { lastAt } = await sink.counts();
  const rate = accepted / ((lastAt - startedAt) / 1000);
  const cost = ((await cpuSeconds(await peer.pids())) - cpuBefore) * (1000 / accepted);
  peer.rates.push(rate);
  peer.costs.push(cost);
  bench.log(`${peer.name}: ${Math.round(rate)}/s, ${cost.toFixed(2)} ms of CPU each`);
}

function ours(bench: Bench, stack: Stack): Peer[] {
  const pids = async () => {
    const services = [...stack.senders, ...(stack.api ? [stack.api] : [])].map(({ pid }) => pid);
    const stores = Object.values(bench.servers.pids());
    return (await Promise.all([...services, ...stores].map(readTree))).flat();
  };
  const common = { pids, stop: () => {} };
  const logins = loginsOf(stack);
  return [
    { ...common, name: GRPC, send: (seconds) => sendSteadily(stack, seconds), rates: [], costs: [] },
    {
      ...common,
      name: 'Postrider, SMTP over TLS',
      send: (seconds) => sendMail(stack.submissionPort, seconds, logins),
      rates: [],
      costs: [],
    },
  ];
}

async function startPostfix(bench: Bench, { sink }: Stack): Promise<Peer | null> {
  const missing = postfixMissing();
  if (missing !== null) {
    bench.log(missing);
    return null;
  }
  const relay = await startRelay({
    relayhost: `[127.0.0.1]:${sink.smtpPort}`,
    default_destination_concurrency_limit: '100',
    default_process_limit: '200',
    initial_destination_concurrency: '50',
    in_flow_delay: '0',
  });
  return {
    name: POSTFIX,
    send: (seconds) => sendMail(relay.port, seconds),
    pids: () => pidsIn(relay.folder),
    stop: () => relay.stop(),
    rates: [],
    costs: [],
  };
}

async function startHarakaOfNpm(bench: Bench, { sink }: Stack): Promise<Peer | null> {
  try {
    const server = await startHaraka({ outside: sink });
    const send = (seconds: number) => sendMail(server.login.port, seconds);
    return { name: server.name, send, pids: server.pids, stop: server.stop, rates: [], costs: [] };
  } catch (error) {
    bench.log(`Haraka could not be installed or started: ${(error as Error).message}`);
    return null;
  }
}

async function sendMail(port: number, seconds: number, logins?: Login[]): Promise<number> {
  const client = startWorker('mail-client');
  try {
    const { accepted, refused } = await client.ask<MailLoadResult>('run', {
      port,
      connections: CONNECTIONS,
      seconds,
      octets: OCTETS,
      recipients: RECIPIENT_DOMAINS.map((name) => `customer@${name}`),
      ...(logins && { logins: logins.splice(0, KEYS_A_ROUND) }),
    } satisfies MailLoad);
    if (refused > 0) throw new Error(`${refused} messages were refused`);
    return accepted;
  } finally {
    await client.stop();
  }
}

function toFigure({ name, rates, costs }: Peer): Figure {
  return {
    id: `peers.${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    what: `Accepted and delivered: ${name}`,
    detail: `median of ${rates.length}, ${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}; ${median(costs).toFixed(2)} ms of CPU each`,
    value: median(rates),
    unit: '/s',
    ...(name === GRPC && { target: { atLeast: DELIVERED_PER_SECOND } }),
  };
}

// Of the medians. Ours is signed, that of Postfix is not.
function ratio(peers: Peer[]): Figure[] {
  const [our, their] = [GRPC, POSTFIX].map((name) => peers.find((one) => one.name === name));
  if (!our || !their) return [];
  return [
    {
      id: 'peers.times-postfix',
      what: 'Our rate over gRPC, signed, in percent of the rate of Postfix, which does not sign',
      value: (median(our.rates) / median(their.rates)) * 100,
      unit: '%',
      target: { atLeast: TIMES_POSTFIX * 100 },
    },
  ];
}
