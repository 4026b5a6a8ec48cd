// From what happened to deliveries: one for each event and each endpoint that wants it, made in the transaction that takes
// the event out of the outbox. So each event has its deliveries exactly once, whatever dies.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { toFeedEvent } from '../message/event-feed.ts';
import { toEventView } from '../message/event-view.ts';
import type { EventType } from '../message/event-store.ts';
import type { OutboxRow } from '../outbox/outbox-store.ts';
import { announcedEvent, domainOf } from './announcement.ts';
import { ALL_EVENT_TYPES, webhookTypeOf } from './event-types.ts';
import {
  insertDeliveries,
  selectDomainNames,
  selectListening,
  selectMessageEvents,
  type ListeningEndpoint,
  type MessageEventRow,
  type NewDelivery,
} from './fan-out-store.ts';
import { bodyOf } from './formats/formats.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** A row of which no deliveries could be made, and why. */
export type OnRefused = (row: OutboxRow, error: unknown) => void;

// An error that the rows themselves cause: one of ours (no code, or one of Node), or a value that PostgreSQL does not take
// (classes 22, 23 and 54). All else, as a deadlock or a table that is not there yet, passes, and is the same for any row.
const OF_ROWS = /^(22|23|54|ERR_|$)/;

/**
 * Makes the deliveries of these rows of the outbox. Returns how many. A row of which none can be made is refused alone:
 * what is behind it, of all tenants, goes on.
 */
export async function fanOut(
  client: pg.ClientBase,
  rows: OutboxRow[],
  onRefused: OnRefused,
): Promise<number> {
  await client.query('savepoint fan_out');
  try {
    const made = await fanOutTogether(client, rows);
    await client.query('release savepoint fan_out');
    return made;
  } catch (error) {
    if (isDatabaseAway(error) || !OF_ROWS.test((error as { code?: string }).code ?? '')) throw error;
    await client.query('rollback to savepoint fan_out; release savepoint fan_out');
    if (rows.length === 1) {
      onRefused(rows[0]!, error);
      return 0;
    }
    const half = Math.ceil(rows.length / 2);
    const first = await fanOut(client, rows.slice(0, half), onRefused);
    return first + (await fanOut(client, rows.slice(half), onRefused));
  }
}

const MAX_INSERT_CHARS = 4_000_000; // of the bodies of one statement: 20 endpoints times 2,000 large events are gigabytes

async function fanOutTogether(client: pg.ClientBase, rows: OutboxRow[]): Promise<number> {
  const tenantIds = [...new Set(rows.map(({ tenantId }) => tenantId))];
  const endpoints = await selectListening(client, tenantIds);
  if (endpoints.length === 0) return 0;
  const ofTenant = Map.groupBy(endpoints, ({ tenantId }) => tenantId);
  const wanted = rows.filter((row) => {
    const type = typeOf(row);
    return (ofTenant.get(row.tenantId) ?? []).some((endpoint) => wants(endpoint, type));
  });
  let made = 0;
  let waiting: NewDelivery[] = [];
  let chars = 0;
  const insert = async () => {
    if (waiting.length > 0) await insertDeliveries(client, waiting);
    made += waiting.length;
    waiting = [];
    chars = 0;
  };
  for (const happening of await describe(client, wanted)) {
    for (const delivery of deliveriesOf(happening, ofTenant.get(happening.tenantId) ?? [])) {
      waiting.push(delivery);
      chars += delivery.body.length;
      if (chars >= MAX_INSERT_CHARS) await insert();
    }
  }
  await insert();
  return made;
}

function deliveriesOf(
  { tenantId, domainId, event }: Happening,
  endpoints: ListeningEndpoint[],
): NewDelivery[] {
  const { id: eventId, type: eventType } = event;
  return endpoints
    .filter((endpoint) => wants(endpoint, eventType) && concerns(endpoint, domainId))
    .flatMap(({ id: endpointId, format }) => {
      const body = bodyOf(format, event);
      return body === null ? [] : [{ id: newUuid(), tenantId, endpointId, eventId, eventType, body }];
    });
}

/** What happened, of whom, and where. */
interface Happening {
  tenantId: string;
  domainId: string | null;
  event: WebhookEvent;
}

async function describe(client: pg.ClientBase, rows: OutboxRow[]): Promise<Happening[]> {
  const ofMessages = rows.filter((row) => row.payload === null);
  const announced = rows.flatMap((row) =>
    row.payload === null ? [] : [{ ...row, payload: row.payload, domainId: domainOf(row.payload) }],
  );
  const read = ofMessages.length === 0 ? [] : await selectMessageEvents(client, ofMessages);
  const domains = announced.flatMap(({ domainId, tenantId }) =>
    domainId === null ? [] : [{ id: domainId, tenantId }],
  );
  const names = domains.length === 0 ? new Map<string, string>() : await selectDomainNames(client, domains);
  const byId = new Map(read.map((row) => [row.id, row]));
  return [
    ...ofMessages.flatMap(({ id, tenantId }) => {
      const row = byId.get(id);
      return row ? [{ tenantId, domainId: row.domainId, event: messageEvent(row) }] : [];
    }),
    ...announced.map((row) => ({
      tenantId: row.tenantId,
      domainId: row.domainId,
      event: announcedEvent(row, (id) => names.get(id) ?? ''),
    })),
  ];
}

function messageEvent(row: MessageEventRow): WebhookEvent {
  const { from, subject, tags } = row;
  const view = toEventView(toFeedEvent(row));
  return {
    id: row.id,
    type: webhookTypeOf(row.type),
    timestamp: row.occurredAt,
    data: { ...view, from, subject, tags },
  };
}

function typeOf(row: OutboxRow): string {
  return row.payload === null ? webhookTypeOf(row.type as EventType) : row.type;
}

function wants(endpoint: ListeningEndpoint, type: string): boolean {
  return endpoint.eventTypes.includes(type) || endpoint.eventTypes.includes(ALL_EVENT_TYPES);
}

// What belongs to no domain is for all who asked for its type.
function concerns(endpoint: ListeningEndpoint, domainId: string | null): boolean {
  return endpoint.domainIds === null || domainId === null || endpoint.domainIds.includes(domainId);
}
