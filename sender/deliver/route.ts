// Which outbound route a message takes: by weight among the configured routes, or the one that its submission pinned.
// Pure: the same message takes the same route on every attempt, in every process with the same settings.

import type { Route } from '../../core/base/setting-kinds.ts';

/**
 * Chooses by weight from the message's id, or the pinned `esp`. A pinned route that is no longer configured, and a
 * choice among none (all weights 0), falls back to the whole list: the mail must go somewhere.
 */
export function chooseRoute(routes: readonly Route[], message: { id: string; esp: string | null }): Route {
  const pinned = message.esp === null ? undefined : routes.find((route) => route.name === message.esp);
  if (pinned) return pinned;
  const total = routes.reduce((sum, route) => sum + route.weight, 0);
  let point = fraction(message.id) * total;
  for (const route of routes) {
    point -= route.weight;
    if (point < 0) return route;
  }
  const last = routes.at(-1);
  if (!last) throw new RangeError('no outbound route is configured');
  return last;
}

// The last 48 bits of a UUIDv7 are random (RFC 9562 section 5.7).
function fraction(id: string): number {
  return Number.parseInt(id.slice(-12), 16) / 2 ** 48;
}
