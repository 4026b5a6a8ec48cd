// What is wrong with the patterns that were found, and which exceptions nothing needs any more.

import type { Found } from './find-patterns.ts';
import type { Verdict } from './judge.ts';

/** A pattern and its file. */
export type Placed = Found & { file: string };

/** Patterns that stay, and what bounds their text. A file of a package is named as it is imported: `package/lib/file.js`. */
export interface Exceptions {
  why: string;
  /** Patterns that take more than linear time, by file. */
  patterns: Record<string, string[]>;
  /** Files that make patterns of texts known only when they run. */
  made: string[];
}

const EXCEPTIONS = 'local/patterns/exceptions.json';
const MAX_ATTACK_CHARS = 200;

// As exceptions name it: copies of a package in the folders of others are one.
function fileOf({ file }: Placed): string {
  return file.split('node_modules/').at(-1)!;
}

/** Whether a place is listed. */
export function isListed(place: Placed, exceptions: readonly Exceptions[]): boolean {
  return exceptions.some(({ patterns, made }) =>
    'made' in place ? made.includes(fileOf(place)) : patterns[fileOf(place)]?.includes(place.pattern),
  );
}

/** What is wrong, a paragraph each. `judge` answers for every pattern that is not listed. */
export function problemsOf(
  places: readonly Placed[],
  judge: (pattern: string, flags: string) => Verdict,
  exceptions: readonly Exceptions[],
): string[] {
  const open = places.filter((place) => !isListed(place, exceptions));
  return [...new Set(open.flatMap((place) => problemOf(place, judge))), ...obsolete(places, exceptions)];
}

function problemOf(place: Placed, judge: (pattern: string, flags: string) => Verdict): string[] {
  const at = `${place.file}:${place.line}`;
  if ('made' in place) {
    const help = `Write a literal or constants, or list the file under "made" in ${EXCEPTIONS}.`;
    return [`${at}: ${place.made}\n  is made of a text that is known only when it runs. ${help}`];
  }
  const verdict = judge(place.pattern, place.flags);
  if (verdict.ok) return [];
  const attack = verdict.attack.slice(0, MAX_ATTACK_CHARS);
  const help = `Rewrite it, or use split or indexOf. If its text is bounded, list it in ${EXCEPTIONS} and say by what.`;
  return [
    `${at}: /${place.pattern}/${place.flags}\n  is super-linear (${verdict.complexity}), as on ${attack}\n  ${help}`,
  ];
}

function obsolete(places: readonly Placed[], exceptions: readonly Exceptions[]): string[] {
  const needed = (file: string, pattern: string | null) =>
    places.some((place) => {
      if (fileOf(place) !== file) return false;
      return 'made' in place ? pattern === null : place.pattern === pattern;
    });
  const listed = exceptions.flatMap(({ patterns, made }) => [
    ...Object.entries(patterns).flatMap(([file, all]) => all.map((pattern) => ({ file, pattern }))),
    ...made.map((file) => ({ file, pattern: null })),
  ]);
  return listed
    .filter(({ file, pattern }) => !needed(file, pattern))
    .map(
      ({ file, pattern }) =>
        `${EXCEPTIONS}: ${file} ${pattern ?? 'makes no pattern'}: no longer there, remove it`,
    );
}
