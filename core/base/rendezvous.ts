// Rendezvous hashing: each pair of a thing and a process has a score, and the highest decides who has the thing. Everybody who
// knows of the same processes finds the same one, without asking; one that comes or goes moves its own things only.

/** What takes part: a process, say. */
export interface Seeded {
  /** `hashOf` its name. */
  seed: number;
}

/** A number that stands for a text: FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The score of a pair; each is the `hashOf` of its name. It is the last step of MurmurHash3: each bit changes half of the bits. */
export function scoreOf(one: number, other: number): number {
  const hash = one ^ other;
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * The two with the highest scores for what has this hash, the highest first; fewer when there are fewer. Two, so that one of
 * them may be away.
 */
export function ownersOf<T extends Seeded>(thing: number, among: readonly T[]): T[] {
  let [first, second]: (T | undefined)[] = [];
  let [firstScore, secondScore] = [-1, -1];
  for (const one of among) {
    const score = scoreOf(thing, one.seed);
    if (score > firstScore) {
      [second, secondScore] = [first, firstScore];
      [first, firstScore] = [one, score];
    } else if (score > secondScore) [second, secondScore] = [one, score];
  }
  return [first, second].filter((one) => one !== undefined);
}
