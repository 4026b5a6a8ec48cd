// Part "inbound": mail accepted per second and the time from the final dot to 250, with every webhook down, beside a
// server that keeps nothing (raw limit); and how long mail for others waits while one endpoint hangs.

import { service } from '../core/audit/actor.ts';
import { sleep } from '../core/base/clock.ts';
import type { Config } from '../core/base/config.ts';
import { newUuid } from '../core/base/ids.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import type { Database } from '../core/db/pool.ts';
import { createTenant } from '../core/new-tenant/create-tenant.ts';
import { changeWebhook } from '../core/webhook/settings.ts';
import { freePort } from '../local/servers/free-port.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readInboundTimes } from './stack/cpu-time.ts';
import { listen, openInboundProcess, urlOf, type InboundProcess } from './stack/inbound.ts';
import { startWorker } from './worker.ts';
import type { MailLoad, MailLoadResult } from './workers/mail-client.ts';

const SECONDS = 15;
const QUICK_SECONDS = 4;
const CONNECTIONS = 40;
const OCTETS = 4_000; // a plain message with its header
const ACCEPTED_PER_SECOND = 1_000;
const DOT_TO_250_MS = 1_000;
const DOMAINS = 20;
const WAITING = 1_000; // messages for the endpoint that hangs
const FIRST_ATTEMPT_MS = 1_000;

/** Runs the part. */
export async function measureInbound(bench: Bench): Promise<Figure[]> {
  const place = await openPlace(bench);
  try {
    const seconds = bench.options.quick ? QUICK_SECONDS : SECONDS;
    const raw = await load({ port: place.sinkPort, connections: CONNECTIONS, seconds: seconds / 3 }, place);
    bench.log(`a server that keeps nothing: ${Math.round(raw.accepted / raw.seconds)} messages/s`);
    const before = await readInboundTimes(bench, place.pid);
    const ours = await load({ port: place.port, connections: CONNECTIONS, seconds }, place);
    const cost = costPerMessage(before, await readInboundTimes(bench, place.pid), ours.accepted);
    const rate = ours.accepted / ours.seconds;
    bench.log(
      `inbound: ${Math.round(rate)} messages/s, dot to 250 p99 ${Math.round(ours.percentiles[99] ?? 0)} ms`,
    );
    const waits = await measureNeighbours(place);
    return [
      {
        id: 'inbound.accept',
        what: 'Inbound mail accepted durably, webhooks down',
        detail: `${CONNECTIONS} connections, ${OCTETS} octets, ${ours.refused} refused`,
        value: rate,
        unit: '/s',
        target: { atLeast: ACCEPTED_PER_SECOND },
        raw: {
          what: 'same client against a server that keeps nothing',
          value: raw.accepted / raw.seconds,
          unit: '/s',
        },
      },
      {
        id: 'inbound.cpu',
        what: 'CPU time of each, without the client',
        detail: cost.text,
        value: cost.ms,
        unit: 'ms',
        parts: cost.parts,
      },
      {
        id: 'inbound.dot-p99',
        what: 'Final dot to 250, p99, under that load',
        value: ours.percentiles[99] ?? Number.NaN,
        unit: 'ms',
        target: { atMost: DOT_TO_250_MS },
      },
      {
        id: 'inbound.neighbours-p99',
        what: 'First webhook attempt of others, p99, while one endpoint hangs',
        detail: `${WAITING} messages waiting for it`,
        value: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
        unit: 'ms',
        target: { atMost: FIRST_ATTEMPT_MS },
      },
    ];
  } finally {
    await place.close();
  }
}

interface Place extends InboundProcess {
  sinkPort: number;
  /** Whose webhooks refuse the connection. */
  downDomains: string[];
}

async function openPlace(bench: Bench): Promise<Place> {
  const inbound = await openInboundProcess(bench);
  const closedPort = await freePort();
  const downDomains = await Promise.all(
    Array.from({ length: DOMAINS }, () =>
      seedDomain(inbound.db, inbound.config, `http://127.0.0.1:${closedPort}/`),
    ),
  );
  const sink = startWorker('mail-sink');
  const { smtpPort } = await sink.ask<{ smtpPort: number }>('start');
  const close = async () => {
    await Promise.all([inbound.close(), sink.stop()]);
  };
  return { ...inbound, sinkPort: smtpPort, downDomains, close };
}

async function load(
  options: { port: number; connections: number; seconds: number },
  place: Place,
): Promise<MailLoadResult> {
  const client = startWorker('mail-client');
  try {
    const recipients = place.downDomains.map((domain) => `bob@${domain}`);
    return await client.ask<MailLoadResult>('run', {
      ...options,
      octets: OCTETS,
      recipients,
    } satisfies MailLoad);
  } finally {
    await client.stop();
  }
}

async function measureNeighbours(place: Place): Promise<number[]> {
  const hits: number[] = [];
  const hanging = await listen(() => {});
  const well = await listen((response) => {
    hits.push(performance.now());
    response.writeHead(204).end();
  });
  const dead = await seedDomain(place.db, place.config, urlOf(hanging));
  const alive = await seedDomain(place.db, place.config, urlOf(well));
  const client = startWorker('mail-client');
  const send = (recipients: string[], messages: number) =>
    client.ask<MailLoadResult>('run', {
      port: place.port,
      connections: 1,
      seconds: 60,
      messages,
      octets: OCTETS,
      recipients,
    } satisfies MailLoad);
  try {
    await send([`bob@${dead}`], WAITING);
    const waits: number[] = [];
    for (let n = 0; n < 100; n++) {
      const sentAt = performance.now();
      const before = hits.length;
      await send([`ann@${alive}`], 1);
      while (hits.length === before) await sleep(2);
      waits.push((hits.at(-1) ?? Number.NaN) - sentAt);
    }
    return waits.toSorted((a, b) => a - b);
  } finally {
    await client.stop();
    for (const server of [hanging, well]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function seedDomain(db: Database, config: Config, webhookUrl: string): Promise<string> {
  const tenant = await createTenant({ db }, service('bench'), { name: 'Bench', plan: 'scale' });
  const id = newUuid();
  const name = `d${id.slice(-12)}.bench.test`;
  await db.pool.query(
    `insert into domains (id, tenant_id, name, status, verified_at) values ($1, $2, $3, 'verified', now())`,
    [id, tenant.id, name],
  );
  const http = createGuardedHttp(config);
  await changeWebhook({ db, config, http }, service('bench'), tenant.id, {
    webhookUrl,
    enabled: true,
    rotate: false,
  });
  await http.close();
  return name;
}
