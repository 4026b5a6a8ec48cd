// Which known name somebody meant who wrote another one.

const LONGEST = 40; // characters: no field is longer, and the work grows with the square

/**
 * The known name that differs only in its style (`replyTo`, `reply-to`), or else in at most two letters (`subjekt`). Null when none is
 * that close.
 */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > LONGEST) return null;
  const plain = plainOf(written);
  const most = Math.min(2, Math.floor(plain.length / 3));
  let nearest: string | null = null;
  let least = most + 1;
  for (const name of known) {
    const distance = distanceOf(plain, plainOf(name));
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

// Letters to add, take away or change (Levenshtein), row by row.
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
