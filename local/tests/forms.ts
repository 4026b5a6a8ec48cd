// The runs of the nightly lane: the files of test/nightly as they are, and other forms of the files of `npm test`.

import { leftOut } from '../../test/harness/on-clusters.ts';
import type { Source } from './import-graph.ts';

/** In which form a file runs: as it is, in its long form, or on other servers. */
export type FormName = 'plain' | 'long' | 'cluster' | 'schemas' | 'citus';

/** One file in one form: what is chosen, and has a line in test/nightly/RESULTS.md. */
export interface Run {
  file: string;
  form: FormName;
}

/** What a form is. */
export interface Form {
  env: Record<string, string>;
  workers: number;
  /** Until its servers are ready. */
  startSeconds: number;
  /** Assumed for a file that has no time in the table yet. */
  unknownSeconds: number;
  /** Files whose change this form is about; a change of any other file is for `npm test` to judge. */
  isAbout(file: string): boolean;
}

const STORIES = /^test\/(?:flow|model|nightly)\/.*\.test\.ts$/;
const NIGHTLY = /^test\/nightly\/[^/]+\.test\.ts$/;
const TESTS = /^test\/.*\.test\.ts$/;
const HAS_LONG_FORM = /^import \{[^}]*\b(?:longForm|someOf)\b[^}]*\} from '[./]+\/harness\/form\.ts';/m;
const SHARED = /\.lua$|^core\/clients\/|^local\/cluster\/|^test\/harness\/(?:clusters|on-clusters)\.ts$/;
const RECORD =
  /^core\/db\/|-store\.ts$|^local\/servers\/citus|^test\/harness\/(?:on-clusters|citus-record)\.ts$/;

/** All forms. The time limits fit a machine with two cores. */
export const FORMS: Record<FormName, Form> = {
  plain: { env: {}, workers: 1, startSeconds: 10, unknownSeconds: 240, isAbout: () => true },
  long: {
    env: { TEST_FORM: 'long' },
    workers: 1,
    startSeconds: 10,
    unknownSeconds: 180,
    isAbout: () => true,
  },
  cluster: {
    env: { TEST_SERVERS: 'cluster' },
    workers: 2,
    startSeconds: 30,
    unknownSeconds: 20,
    isAbout: (file) => SHARED.test(file),
  },
  schemas: {
    env: { TEST_RECORD: 'schemas' },
    workers: 2,
    startSeconds: 10,
    unknownSeconds: 20,
    isAbout: (file) => RECORD.test(file),
  },
  citus: {
    env: { TEST_SERVERS: 'cluster', TEST_RECORD: 'citus' },
    workers: 2,
    startSeconds: 60,
    unknownSeconds: 30,
    isAbout: (file) => RECORD.test(file),
  },
};

/** Every run, by form and then by file; those of files in `quarantined` are left out. */
export function allRuns(sources: readonly Source[], quarantined: readonly string[] = []): Run[] {
  const files = sources.filter(({ file }) => TESTS.test(file) && !quarantined.includes(file));
  const names = files.map(({ file }) => file).toSorted();
  const isLong = new Set(files.filter(({ text }) => HAS_LONG_FORM.test(text)).map(({ file }) => file));
  const inForm: Record<FormName, string[]> = {
    plain: names.filter((file) => NIGHTLY.test(file)),
    long: names.filter((file) => isLong.has(file)),
    cluster: without(names, 'cluster'),
    schemas: without(names, 'schemas'),
    citus: without(names, 'citus'),
  };
  return (Object.keys(FORMS) as FormName[]).flatMap((form) => inForm[form].map((file) => ({ file, form })));
}

/** Whether a file is one of test/nightly. */
export function isNightly(file: string): boolean {
  return NIGHTLY.test(file);
}

/** What a run is called: its file, with the form before it unless it is the file as it is. */
export function runName({ file, form }: Run): string {
  return form === 'plain' ? file : `${form} ${file}`;
}

/** The runs that arguments name: forms, files or parts of their names; both limit each other. */
export function namedRuns(runs: readonly Run[], args: readonly string[]): Run[] {
  const forms = args.filter((arg) => arg in FORMS);
  const files = args.filter((arg) => !(arg in FORMS));
  return runs.filter(
    ({ file, form }) =>
      (forms.length === 0 || forms.includes(form)) &&
      (files.length === 0 || files.some((part) => file.includes(part))),
  );
}

function without(names: string[], form: FormName): string[] {
  const { TEST_SERVERS, TEST_RECORD } = FORMS[form].env;
  const left = leftOut(TEST_SERVERS, TEST_RECORD);
  return names.filter((file) => STORIES.test(file) && !left.includes(file));
}
