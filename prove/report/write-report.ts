// Writes the report of a run beside its journal, and checks one that somebody has.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { audit } from '../audit/audit.ts';
import { readEvidence } from '../audit/evidence.ts';
import type { Finding } from '../audit/finding.ts';
import { readJournal } from '../journal.ts';
import { describeMachine, type Machine } from './machine.ts';
import { toPage } from './page.ts';
import { overTime } from './series.ts';
import { isIntact, signReport, type Signed } from './sign.ts';
import { summarize, type Summary } from './summary.ts';

/** What is signed. */
interface Report extends Summary {
  version: 1;
  machine: Machine;
  /** What the report was made of. */
  journal: JournalFile[];
}

interface JournalFile {
  file: string;
  octets: number;
  sha256: string;
}

/** Audits the journal in a folder; writes `report.json` and `report.html` there. */
export async function writeReport(folder: string): Promise<Summary> {
  const entries = readJournal(folder);
  const evidence = readEvidence(entries);
  const run = entries.find((entry) => entry.kind === 'run') ?? null;
  const summary = summarize(run, evidence, audit(entries));
  const machine = await describeMachine();
  const report: Report = { version: 1, ...summary, machine, journal: journalFiles(folder) };
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(signReport(report), null, 1)}\n`);
  writeFileSync(join(folder, 'report.html'), toPage(summary, machine, overTime(evidence)));
  return summary;
}

/** What is wrong with a report, in words; nothing when it is intact. A journal that lies beside it is audited again. */
export function verifyReport(file: string): string[] {
  const signed = JSON.parse(readFileSync(file, 'utf8')) as Signed<Report>;
  if (!isIntact(signed)) return ['the signature does not fit: the report was changed after it was written'];
  const folder = dirname(file);
  const here = signed.report.journal.filter(({ file: name }) => existsSync(join(folder, name)));
  const changed = here.filter((one) => hashOf(join(folder, one.file)) !== one.sha256);
  if (changed.length > 0)
    return changed.map(({ file: name }) => `${name} is not the journal that was reported on`);
  if (here.length < signed.report.journal.length || here.length === 0) return [];
  return compare(signed.report, audit(readJournal(folder)));
}

function compare({ findings, findings_left_off: leftOff }: Report, again: Finding[]): string[] {
  const reported = findings.length + leftOff;
  return reported === again.length
    ? []
    : [`the report has ${reported} findings, the journal has ${again.length}`];
}

function journalFiles(folder: string): JournalFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((file) => ({
      file,
      octets: readFileSync(join(folder, file)).length,
      sha256: hashOf(join(folder, file)),
    }));
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
