// Part "webhooks": events posted per second by one inbound process to a receiver on this machine, and the time from the
// commit of an event to its first attempt, while another endpoint of the same tenant hangs.

import type { Server } from 'node:http';

import { service } from '../core/audit/actor.ts';
import { sleep } from '../core/base/clock.ts';
import { newUuid, toId } from '../core/base/ids.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { createTenant } from '../core/new-tenant/create-tenant.ts';
import { newEndpoint } from '../core/webhook/endpoint-input.ts';
import { createEndpoint } from '../core/webhook/endpoints.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { listen, openInboundProcess, urlOf, type InboundProcess } from './stack/inbound.ts';

const EVENTS = 20_000;
const QUICK_EVENTS = 6_000;
const WAITING = 1_000; // events for the endpoint that hangs
const PACED_BATCH = 25; // events every 50 ms: 500/s
const PACED_GAP_MS = 50;
const DELIVERIES_PER_SECOND = 2_000;
const FIRST_ATTEMPT_MS = 1_000;

/** Runs the part. */
export async function measureWebhooks(bench: Bench): Promise<Figure[]> {
  const inbound = await openInboundProcess(bench);
  const arrivals = new Map<string, number>();
  const hanging = await listen(() => {});
  const well = await listen((response, id) => {
    if (!arrivals.has(id)) arrivals.set(id, performance.now());
    response.writeHead(204).end();
  });
  try {
    const owner = await seed(inbound, { well, hanging });
    await addEvents(inbound, owner, 'cancelled', WAITING);
    const events = bench.options.quick ? QUICK_EVENTS : EVENTS;
    const rate = await measureRate(inbound, owner, arrivals, events);
    bench.log(`webhooks: ${Math.round(rate)} deliveries/s while another endpoint hangs`);
    const waits = await measureWaits(inbound, owner, arrivals, events / 4);
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? Number.NaN;
    bench.log(
      `webhooks: first attempt p50 ${Math.round(waits[waits.length >> 1] ?? 0)} ms, p99 ${Math.round(p99)} ms`,
    );
    return [
      {
        id: 'webhooks.rate',
        what: 'Events posted to one endpoint by one process, while another of the tenant hangs',
        detail: `${events} events committed at once, until all were answered`,
        value: rate,
        unit: '/s',
        target: { atLeast: DELIVERIES_PER_SECOND },
      },
      {
        id: 'webhooks.first-attempt-p99',
        what: 'Commit of an event to its first attempt, p99, while another endpoint hangs',
        detail: `${(PACED_BATCH * 1000) / PACED_GAP_MS} events a second`,
        value: p99,
        unit: 'ms',
        target: { atMost: FIRST_ATTEMPT_MS },
      },
    ];
  } finally {
    await inbound.close();
    for (const server of [hanging, well]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

interface Owner {
  tenantId: string;
  domainId: string;
}

async function seed(
  { db, config }: InboundProcess,
  { well, hanging }: { well: Server; hanging: Server },
): Promise<Owner> {
  const by = service('bench');
  const { id: tenantId } = await createTenant({ db }, by, { name: 'Bench', plan: 'scale' });
  const domainId = newUuid();
  await db.pool.query(
    `insert into domains (id, tenant_id, name, status, verified_at) values ($1, $2, 'bench.test', 'verified', now())`,
    [domainId, tenantId],
  );
  const http = createGuardedHttp(config);
  const hook = (server: Server, type: string) =>
    createEndpoint(
      { db, config, http },
      by,
      tenantId,
      newEndpoint.parse({ url: urlOf(server), event_types: [type] }),
    );
  await hook(well, 'message.expired');
  await hook(hanging, 'message.cancelled');
  await http.close();
  return { tenantId, domainId };
}

async function measureRate(
  inbound: InboundProcess,
  owner: Owner,
  arrivals: Map<string, number>,
  events: number,
): Promise<number> {
  const startedAt = performance.now();
  await addEvents(inbound, owner, 'expired', events);
  while (arrivals.size < events) await sleep(5);
  const endedAt = Math.max(...[...arrivals.values()].slice(-100));
  arrivals.clear();
  return (events / (endedAt - startedAt)) * 1000;
}

async function measureWaits(
  inbound: InboundProcess,
  owner: Owner,
  arrivals: Map<string, number>,
  events: number,
): Promise<number[]> {
  const committed = new Map<string, number>();
  while (committed.size < events) {
    const gap = sleep(PACED_GAP_MS);
    const ids = await addEvents(inbound, owner, 'expired', PACED_BATCH);
    const at = performance.now();
    for (const id of ids) committed.set(id, at);
    await gap;
  }
  while (arrivals.size < committed.size) await sleep(5);
  return [...committed].map(([id, at]) => arrivals.get(id)! - at).toSorted((a, b) => a - b);
}

async function addEvents(
  { db }: InboundProcess,
  { tenantId, domainId }: Owner,
  type: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newUuid);
  await db.pool.query(
    `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
     select id, $2, $4, id, $3, 'ann@example.net', now(), '{"reply":"421 4.3.2 Try again later"}'
     from unnest($1::uuid[]) as id`,
    [ids, tenantId, domainId, type],
  );
  return ids.map((id) => toId('evt', id));
}
