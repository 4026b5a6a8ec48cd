// test/nightly/RESULTS.md: when each run of the nightly lane last ran, with what result, in how many seconds. `npm run
// test:nightly` writes it and reads the seconds of earlier runs from it; it is committed with the work.

/** One line. */
export interface Row {
  /** Its name (forms.ts). */
  run: string;
  /** The UTC day of the last run, `YYYY-MM-DD`. */
  day: string;
  result: 'passed' | 'failed' | 'skipped';
  seconds: number;
}

const HEAD = `# Last results of the nightly tests

Written by \`npm run test:nightly\`: one line for each run that ever ran. A name that begins with a form (\`long\`, \`cluster\`,
\`schemas\`, \`citus\`) is that form of a file; CONTRIBUTING.md describes them. Seconds are those of the machine that ran it last.

| run | last run | result | seconds |
|---|---|---|---|
`;
const LINE = /^\| (.+?) \| (\d{4}-\d\d-\d\d) \| (passed|failed|skipped) \| (\d+) \|$/gm;

/** The lines of the table by the name of the run. */
export function readTable(text: string): Map<string, Row> {
  const lines = [...text.matchAll(LINE)].map(([, run, day, result, seconds]) => ({
    run: run!,
    day: day!,
    result: result as Row['result'],
    seconds: Number(seconds),
  }));
  return new Map(lines.map((row) => [row.run, row]));
}

/** The whole file, sorted by name. */
export function writeTable(rows: Iterable<Row>): string {
  const sorted = [...rows].toSorted((a, b) => (a.run < b.run ? -1 : 1));
  const lines = sorted.map(
    ({ run, day, result, seconds }) => `| ${run} | ${day} | ${result} | ${Math.round(seconds)} |\n`,
  );
  return HEAD + lines.join('');
}
