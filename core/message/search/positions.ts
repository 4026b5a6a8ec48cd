// Where in a segment a term occurs, in few bytes: none for a term of every message, a list of 2-byte numbers for a rare
// one, a bit for each message otherwise. The first byte says which.

const LIST = 0;
const BITS = 1;

/** Messages of a segment. 4,096 are read and filtered in about 4 ms; so many positions take 512 bytes of bits. */
export const SEGMENT_SIZE = 4_096;

/** The same for one that is made again with what came late. */
export const MAX_SEGMENT_SIZE = 2 * SEGMENT_SIZE;

/** Packs ascending positions of a segment with `size` messages. */
export function packPositions(positions: readonly number[], size: number): Buffer {
  if (positions.length === size) return Buffer.alloc(0);
  const bitBytes = Math.ceil(size / 8);
  if (positions.length * 2 < bitBytes) {
    const list = Buffer.alloc(1 + positions.length * 2, LIST);
    for (const [at, position] of positions.entries()) list.writeUInt16LE(position, 1 + at * 2);
    return list;
  }
  const bits = Buffer.alloc(1 + bitBytes);
  bits[0] = BITS;
  for (const position of positions) bits[1 + (position >> 3)]! |= 1 << (position & 7);
  return bits;
}

/** The positions that are in every one of these, ascending. */
export function intersectPositions(packed: readonly Buffer[], size: number): number[] {
  const lists = packed.filter((one) => one.length > 0).toSorted((one, other) => one.length - other.length);
  const [shortest, ...others] = lists;
  if (!shortest) return Array.from({ length: size }, (_, position) => position);
  let found = unpack(shortest);
  for (const other of others) {
    const isIn = membership(other);
    found = found.filter(isIn);
  }
  return found;
}

function unpack(packed: Buffer): number[] {
  const positions: number[] = [];
  if (packed[0] === LIST) {
    for (let at = 1; at < packed.length; at += 2) positions.push(packed.readUInt16LE(at));
    return positions;
  }
  for (let at = 1; at < packed.length; at++) {
    for (let bits = packed[at]!; bits !== 0; bits &= bits - 1)
      positions.push((at - 1) * 8 + 31 - Math.clz32(bits & -bits));
  }
  return positions;
}

function membership(packed: Buffer): (position: number) => boolean {
  if (packed[0] === BITS)
    return (position) => ((packed[1 + (position >> 3)] ?? 0) & (1 << (position & 7))) !== 0;
  const listed = new Set(unpack(packed));
  return (position) => listed.has(position);
}
