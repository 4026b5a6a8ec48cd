// From what happened to deliveries: one for each event and each endpoint that wants it, made in the transaction that takes
// the event out of the outbox. So each event has its deliveries exactly once, whatever dies.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
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
} from './fan-out-store.ts';
import { bodyOf } from './formats/formats.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Makes the deliveries of these rows of the outbox. Returns how many. */
export async function fanOut(client: pg.ClientBase, rows: OutboxRow[]): Promise<number> {
  const tenantIds = [...new Set(rows.map(({ tenantId }) => tenantId))];
  const endpoints = await selectListening(client, tenantIds);
  if (endpoints.length === 0) return 0;
  const ofTenant = Map.groupBy(endpoints, ({ tenantId }) => tenantId);
  const wanted = rows.filter((row) => {
    const type = typeOf(row);
    return (ofTenant.get(row.tenantId) ?? []).some((endpoint) => wants(endpoint, type));
  });
  const found = await describe(client, wanted);
  const deliveries = found.flatMap(({ tenantId, domainId, event }) =>
    (ofTenant.get(tenantId) ?? [])
      .filter((endpoint) => wants(endpoint, event.type) && concerns(endpoint, domainId))
      .flatMap(({ id: endpointId, format }) => {
        const body = bodyOf(format, event);
        const { id: eventId, type: eventType } = event;
        return body === null ? [] : [{ id: newUuid(), tenantId, endpointId, eventId, eventType, body }];
      }),
  );
  if (deliveries.length > 0) await insertDeliveries(client, deliveries);
  return deliveries.length;
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
