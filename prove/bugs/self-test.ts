// `npm run prove -- --self-test`: plants each bug in a copy, runs a short proof on the copy, and sees whether the rule
// that is to find it does. First comes a run of what ships, with faults of all kinds, in which no rule may find anything.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { audit } from '../audit/audit.ts';
import type { Finding, Rule } from '../audit/finding.ts';
import { journalMs, readJournal } from '../journal.ts';
import { plantBug } from './plant-bug.ts';
import { isFoundBy, readBug, type Bug } from './read-bug.ts';

/** What to test, and where. */
export interface SelfTestInput {
  /** The checkout. */
  root: string;
  runDir: string;
  seed: number;
  /** Only bugs whose name begins so. */
  only: string | null;
  log: (line: string) => void;
}

/** What became of one run. */
interface Result {
  name: string;
  ok: boolean;
  seconds: number;
  said: string;
}

const AUDIT_EVERY_MS = 4_000;
const LIMIT_MS = 420_000;
// What these find in half a journal is there in the whole one too.
const EARLY: Rule[] = ['cap', 'repeats', 'suppression', 'idempotency'];

/** Whether what ships passes, and every bug was found by its rule. */
export async function selfTest(input: SelfTestInput): Promise<boolean> {
  const bugs = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.patch') && name.startsWith(input.only ?? ''))
    .sort()
    .map((name) => readBug(join(import.meta.dirname, name)));
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    input.log(toLine(result));
  };
  if (input.only === null) add(await control(input));
  for (const bug of bugs) add(await test(input, bug));
  const found = results.filter(({ name, ok }) => ok && name !== CONTROL_NAME).length;
  input.log(
    ['', ...results.map(toLine), '', `${found} of ${bugs.length} planted bugs were found`].join('\n'),
  );
  return results.every(({ ok }) => ok);
}

const CONTROL_NAME = 'what ships';

async function control(input: SelfTestInput): Promise<Result> {
  const startedAt = journalMs();
  const { findings, problem } = await runUntil(
    { ...input, runDir: join(input.runDir, 'control') },
    input.root,
    'control',
    () => null,
  );
  const first = findings[0];
  const said = problem ?? (first ? `${findings.length} findings: ${told(first)}` : 'no findings');
  return { name: CONTROL_NAME, ok: problem === null && !first, seconds: secondsSince(startedAt), said };
}

async function test(input: SelfTestInput, bug: Bug): Promise<Result> {
  const startedAt = journalMs();
  const runDir = join(input.runDir, `bug-${bug.name}`);
  const copy = join(runDir, 'checkout');
  plantBug(input.root, bug.file, copy);
  const isIt = (finding: Finding) => isFoundBy(bug, finding);
  const early = (findings: Finding[]) => (EARLY.includes(bug.rule) ? (findings.find(isIt) ?? null) : null);
  const { findings, problem } = await runUntil({ ...input, runDir }, copy, bug.name, early);
  rmSync(copy, { recursive: true, force: true });
  const found = findings.find(isIt);
  const others = [...new Set(findings.map(({ rule }) => rule))].join(', ');
  const missed = `NOT FOUND by ${bug.rule}${others === '' ? '' : `, but there are findings of ${others}`}`;
  const said = found ? `found by ${told(found)}` : `${missed}${problem === null ? '' : ` (${problem})`}`;
  return { name: bug.name, ok: found !== undefined, seconds: secondsSince(startedAt), said };
}

// Runs until the end, or until `early` has what it looks for.
async function runUntil(
  { runDir, seed }: SelfTestInput,
  folder: string,
  name: string,
  early: (findings: Finding[]) => Finding | null,
): Promise<{ findings: Finding[]; problem: string | null }> {
  mkdirSync(runDir, { recursive: true });
  const child = fork(join(import.meta.dirname, 'run-bug.ts'), [runDir, folder, name, String(seed)], {
    silent: true,
  });
  const output = createWriteStream(join(runDir, 'run.log'));
  child.stdout?.pipe(output);
  child.stderr?.pipe(output);
  const ended = once(child, 'exit');
  const limit = AbortSignal.timeout(LIMIT_MS);
  while (isRunning(child)) {
    await Promise.race([wait(AUDIT_EVERY_MS), ended]);
    const findings = auditSoFar(runDir);
    if (early(findings) === null && !limit.aborted) continue;
    child.kill('SIGKILL');
    await ended;
    return { findings, problem: limit.aborted ? 'it took too long' : null };
  }
  const problem = child.exitCode === 0 ? null : `the run failed: ${join(runDir, 'run.log')}`;
  return { findings: auditSoFar(runDir), problem };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function auditSoFar(runDir: string): Finding[] {
  return existsSync(runDir) ? audit(readJournal(runDir)) : [];
}

function told({ rule, about, what }: Finding): string {
  return `${rule}: ${about}: ${what}`;
}

function toLine({ name, ok, seconds, said }: Result): string {
  return `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(30)} ${String(seconds).padStart(4)} s  ${said}`;
}

function secondsSince(t: number): number {
  return Math.round((journalMs() - t) / 1_000);
}
