// Ids: UUIDv7 inside (time-ordered, so that they also choose the partition), TypeIDs outside (`msg_…`).

import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** What an id names; the prefix of its outside form. */
export type IdPrefix =
  | 'msg'
  | 'tpl'
  | 'cmp'
  | 'con'
  | 'lst'
  | 'imp'
  | 'exp'
  | 'blk'
  | 'evt'
  | 'dom'
  | 'mbx'
  | 'inm'
  | 'dlv'
  | 'whk'
  | 'wdl'
  | 'key'
  | 'adm'
  | 'alr'
  | 'alt'
  | 'tnt'
  | 'usr'
  | 'ses'
  | 'inv'
  | 'aud'
  | 'req';

/**
 * A fresh UUIDv7 (RFC 9562 section 5.7), larger than every one that this process made before: mail that waits goes
 * out in the order of its ids. (node:crypto's own is random within a millisecond.)
 */
export function newUuid(): string {
  return v7();
}

/** The UUID of nothing (RFC 9562 section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** The outside form of a UUID, for example `msg_01jd…`. */
export function toId(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

// 128 bits in Crockford's base 32: the first of 26 digits holds only three of them (TypeID specification).
const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const patterns = new Map<IdPrefix, RegExp>();

/** What the outside form of a kind looks like. Every text that matches is an id, and no other is. */
export function idPattern(prefix: IdPrefix): RegExp {
  const known = patterns.get(prefix) ?? new RegExp(`^${prefix}_${SUFFIX}$`);
  patterns.set(prefix, known);
  return known;
}

/** The UUID of an outside id, or null when it is malformed or of another kind. */
export function fromId(prefix: IdPrefix, id: unknown): string | null {
  if (typeof id !== 'string' || !idPattern(prefix).test(id)) return null;
  const hex = Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The creation time (milliseconds since the epoch) that a UUIDv7 carries. */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The version digit of a UUID text, 7 for ours. */
export function uuidVersion(uuid: string): number {
  return Number.parseInt(uuid.charAt(14), 16);
}
