// Who changes something: one type, and one spelling of it in the audit log.

import { toId } from '../base/ids.ts';

/** Where a change comes from. */
interface ChangeOrigin {
  /** Client address of the request, as the rate limits count it; null when no request asked for the change. */
  ip: string | null;
  /** UUID of the change, for what it makes: a retry under the same Idempotency-Key has the same one. */
  changeId?: string;
}

/** Who changes something. Every verb that changes something asks for one. Ids are UUIDs. */
export type Actor = ChangeOrigin &
  (
    | { kind: 'user'; userId: string; email: string }
    | { kind: 'api_key'; keyId: string }
    | { kind: 'admin_token'; tokenId: string; name: string }
    | { kind: 'service'; name: string }
    | { kind: 'nobody' }
  );

/** A signed-in person, or one who just proved who they are. */
export type UserActor = Extract<Actor, { kind: 'user' }>;

/** A person who changes something, at a client address. */
export function userActor({ id, email }: { id: string; email: string }, ip: string | null): UserActor {
  return { kind: 'user', userId: id, email, ip };
}

/** Somebody who did not prove who they are: a sign-in that failed. */
export function nobody(ip: string): Actor {
  return { kind: 'nobody', ip };
}

/** A program that changes something by itself, or for somebody at the machine: `cli`, `auto-ramp`. */
export function service(name: string): Actor {
  return { kind: 'service', name, ip: null };
}

/** The actor in the audit log: the id of a person or key; operators' tokens and services by name. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return toId('usr', actor.userId);
    case 'api_key':
      return toId('key', actor.keyId);
    default:
      return actorName(actor);
  }
}

/** The actor in words, for histories that people read without looking ids up. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return actor.email;
    case 'api_key':
      return toId('key', actor.keyId);
    case 'admin_token':
      return `admin token ${actor.name}`;
    case 'service':
      return actor.name;
    case 'nobody':
      return 'nobody';
    default:
      return actor satisfies never;
  }
}
