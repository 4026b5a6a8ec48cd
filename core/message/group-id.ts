// The ids of messages that one submission makes for several recipients. The first has the id of the submission; the
// others follow from it, so that a repeated submission finds the messages of the first time.

import { createHash } from 'node:crypto';

const HALF = 18; // characters of a UUID's text up to the middle: all ids of a group begin with the same

const LAST_OF_OCTET = 63;
const MOST_PLACES = LAST_OF_OCTET + 255;

/** The lowest and the highest id that messages of the groups of these ids can have. */
export function boundsOfGroups(ids: string[]): [lowest: string, highest: string] {
  const low = ids.reduce((least, id) => (id < least ? id : least), ids[0] ?? '');
  const high = ids.reduce((most, id) => (id > most ? id : most), ids[0] ?? '');
  return [`${low.slice(0, HALF)}-0000-000000000000`, `${high.slice(0, HALF)}-ffff-ffffffffffff`];
}

/**
 * The id of the message to a recipient other than the first: the same for the same first id, place (1 to 99) and
 * normalized address. It keeps the first half of the first id, so that both are in one partition, and the place comes
 * next, so that the ids of a group are in the order of its recipients.
 */
export function idInGroup(firstId: string, place: number, address: string): string {
  if (place < 1 || place > MOST_PLACES) throw new RangeError(`no place in a group: ${place}`);
  const hash = createHash('sha256').update(`${firstId} ${address}`).digest('hex');
  // The octet after the first half begins with the two bits of the variant (RFC 9562 section 4.1); the six that are left
  // hold places up to 62, and the octet after it those beyond.
  const placed =
    place < LAST_OF_OCTET
      ? `${(0x80 | place).toString(16)}${hash.slice(0, 2)}`
      : `bf${(place - LAST_OF_OCTET).toString(16).padStart(2, '0')}`;
  return `${firstId.slice(0, HALF)}-${placed}-${hash.slice(2, 14)}`;
}
