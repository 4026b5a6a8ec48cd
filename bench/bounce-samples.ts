// The bounces that others collected, with what is to be read out of them (test/fixtures/bounces/README.md), and the
// halves of each corpus: rules are made on one, and only counted on the other.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a label says of one recipient. `other` is mail that is no bounce. */
type Expected = 'hard' | 'soft' | 'delay' | 'other';

/** One row of labels.tsv. `address` is empty where the report names nobody. */
export interface Label {
  address: string;
  expected: Expected;
  /** The words or the code that the label stands on; of sisimai, its name of the reason. */
  ground: string;
}

/** One message with its labels. */
export interface Sample {
  corpus: Corpus;
  file: string;
  half: Half;
  labels: Label[];
  /** LF line ends, as Latin-1. */
  text: string;
}

/** Folders of test/fixtures/bounces. */
export const CORPORA = ['sisimai', 'flufl', 'bounceparser', 'written'] as const;

/** The name of a corpus. */
export type Corpus = (typeof CORPORA)[number];

/** `tune`: failures were looked at. `check`: only counts were. */
export type Half = 'tune' | 'check';

const FOLDER = join(import.meta.dirname, '../test/fixtures/bounces');

/** Every sample of a corpus, by file name. */
export function readSamples(corpus: Corpus): Sample[] {
  const labels = readLabels(corpus);
  const files = readdirSync(join(FOLDER, corpus)).filter((file) => file.endsWith('.eml'));
  return files.toSorted().map((file) => ({
    corpus,
    file,
    half: halfOf(corpus, file),
    labels: labels.get(file) ?? [],
    text: readFileSync(join(FOLDER, corpus, file))
      .toString('latin1')
      .replace(/\r\n/g, '\n'),
  }));
}

// The rules were made on all of sisimai before there were halves.
function halfOf(corpus: Corpus, file: string): Half {
  if (corpus === 'sisimai') return 'tune';
  const [first = 0] = createHash('sha256').update(file).digest();
  return ((first >> 4) & 1) === 1 ? 'check' : 'tune';
}

function readLabels(corpus: Corpus): Map<string, Label[]> {
  const labels = new Map<string, Label[]>();
  const lines = readFileSync(join(FOLDER, corpus, 'labels.tsv'), 'utf8')
    .split('\n')
    .slice(1);
  for (const line of lines.filter((one) => one !== '')) {
    const columns = line.split('\t');
    const [file = ''] = columns;
    const label = corpus === 'sisimai' ? sisimaiLabel(columns) : ownLabel(columns);
    labels.set(file, [...(labels.get(file) ?? []), label]);
  }
  return labels;
}

// file, n, recipient, expected, ground
function ownLabel([, , address = '', expected = '', ground = '']: string[]): Label {
  return { address, expected: expected as Expected, ground };
}

// file, n, status, reply_code, reason, hard
function sisimaiLabel([, , , , ground = '', hard = '']: string[]): Label {
  const other = ground === 'feedback' || ground === 'vacation';
  return { address: '', expected: other ? 'other' : hard === 'true' ? 'hard' : 'soft', ground };
}
