// How many requests an endpoint gets at a time. One that answers gets more, one that hangs fewer, down to one: a
// hundred dead endpoints together then hold a hundred of our places, not two thousand. One that keeps failing also
// rests between requests, up to two seconds, so that a refused connection is not tried a thousand times a second.

import { monotonicMs } from '../../core/base/clock.ts';

/** The rooms of all endpoints that have requests under way or trouble behind them. */
export interface EndpointRooms {
  /** Free places of those tenants that have other than `initial` of them. */
  free(): Map<string, number>;
  /** Free places of a tenant that is not in `free()`. */
  initial: number;
  enter(tenantId: string): void;
  /** `well` is false when the endpoint did not answer in time, or said 5xx or 429. */
  leave(tenantId: string, well: boolean): void;
}

interface Room {
  limit: number;
  used: number;
  failures: number;
  restUntil: number;
}

const INITIAL = 5; // places of an endpoint that nothing is known of
const MAX_KNOWN = 10_000;
const FREE_FAILURES = 5; // in a row, before it rests
const FIRST_REST_MS = 50;
const MAX_REST_MS = 2_000;

/** Makes the rooms; `most` is WEBHOOK_ENDPOINT_CONCURRENCY. */
export function createEndpointRooms(most: number): EndpointRooms {
  const initial = Math.min(INITIAL, most);
  const rooms = new Map<string, Room>();
  return {
    initial,
    free: () => {
      const now = monotonicMs();
      const places = (room: Room) => (room.restUntil > now ? 0 : Math.max(0, room.limit - room.used));
      return new Map([...rooms].map(([tenantId, room]) => [tenantId, places(room)]));
    },
    enter: (tenantId) => {
      const room = rooms.get(tenantId) ?? { limit: initial, used: 0, failures: 0, restUntil: 0 };
      room.used++;
      rooms.set(tenantId, room);
    },
    leave: (tenantId, well) => {
      const room = rooms.get(tenantId);
      if (!room) return;
      room.used--;
      room.failures = well ? 0 : room.failures + 1;
      room.limit = well ? Math.min(most, room.limit + 1) : Math.max(1, Math.floor(room.limit / 2));
      room.restUntil = monotonicMs() + restMs(room.failures);
      const sound = room.failures === 0 && room.limit >= initial;
      const forgettable = room.used === 0 && (sound || rooms.size > MAX_KNOWN);
      if (forgettable) rooms.delete(tenantId);
    },
  };
}

function restMs(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - FREE_FAILURES, 10));
}
