// Which tests are near a change, for a run that takes about a minute: first the files with the noun of the change in their
// names, then by the steps from the test to the changed file, until the expected time is used up.

/** What is known when tests are chosen. */
export interface NearChoice {
  /** Test files. */
  tests: readonly string[];
  changed: readonly string[];
  /** Steps from a file to the nearest changed file that it depends on. */
  distances: ReadonlyMap<string, number>;
  /** Seconds that a file took when it last ran. */
  secondsOf(test: string): number | undefined;
  /** For all files together. */
  seconds: number;
  /** Expected of a file that never ran. */
  unknownSeconds: number;
  workers: number;
}

/** The tests to run, nearest first, those that are left out, and the seconds expected. */
export interface Near {
  chosen: string[];
  left: string[];
  expected: number;
}

const SHORTEST_NOUN = 4; // shorter words are parts of too many names

/** Chooses the nearest tests; a test that was changed itself is always among them. */
export function chooseNear(choice: NearChoice): Near {
  const { distances, changed, workers } = choice;
  const nouns = changed.flatMap(nounOf);
  const cost = (test: string) => (choice.secondsOf(test) ?? choice.unknownSeconds) / workers;
  const ranked = choice.tests
    .filter((test) => distances.has(test))
    .toSorted((a, b) => rank(a) - rank(b) || cost(a) - cost(b));
  const near: Near = { chosen: [], left: [], expected: 0 };
  for (const test of ranked) {
    const isChosen = distances.get(test) === 0 || near.expected + cost(test) <= choice.seconds;
    (isChosen ? near.chosen : near.left).push(test);
    if (isChosen) near.expected += cost(test);
  }
  return near;

  // The name counts as much as an import does.
  function rank(test: string): number {
    const steps = distances.get(test)!;
    return steps > 1 && nouns.some((noun) => test.includes(noun)) ? 1 : steps;
  }
}

/** The word that tests of this file would have in their names: `core/suppression/suppressions.ts` is about `suppression`. */
export function nounOf(file: string): string[] {
  const [top, ...rest] = file.split('/');
  const name = rest.at(-1)?.replace(/(?:-store|-input)?\.\w+$/, '');
  const words = top === 'core' ? [rest[0], name] : [name];
  return words
    .filter((word) => word !== undefined)
    .flatMap((word) => {
      const noun = word.replace(/s$/, '');
      return noun.length >= SHORTEST_NOUN && noun !== 'main' ? [noun] : [];
    });
}
