// The report of a run: signed, on one page, and checked again from its journal.

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { isIntact, type Signed } from '../../../prove/report/sign.ts';
import { verifyReport, writeReport } from '../../../prove/report/write-report.ts';
import type { Entry } from '../../../prove/journal.ts';
import { ask, at, cap, DAY, event, fault, head, inOrder, listed, transact } from './audit/world.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proof-'));
  const entries = inOrder([
    head(),
    ask(1_000, 'a'),
    transact(1_100, 'a'),
    event(1_200, 'a', 'delivered'),
    fault(2_000, 4_000, 'sender-1'),
    cap(50_000, 50, 1, DAY),
    at(100_000, { kind: 'phase', phase: 'read', settled: true }),
    listed(100_002, 'a'),
    ask(1_500, 'lost <b>'),
    at(0, { kind: 'left_out', what: 'the disk cannot be full <here>' }),
    { ...fault(5_000, 5_000, 'api-1', 'clock-off')[0]!, phase: 'skipped', detail: 'no libfaketime' } as Entry,
  ]);
  writeFileSync(join(folder, 'load.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await writeReport(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the JSON is intact, and says so no more when a letter or the journal is changed', () => {
  const file = join(folder, 'report.json');
  const text = readFileSync(file, 'utf8');
  expect(verifyReport(file)).toEqual([]);
  writeFileSync(file, text.replace('"passed": false', '"passed": true'));
  expect(verifyReport(file)).toEqual([expect.stringContaining('signature')]);
  writeFileSync(file, text);
  appendFileSync(join(folder, 'load.jsonl'), '\n');
  expect(verifyReport(file)).toEqual([expect.stringContaining('load.jsonl')]);
});

test('the page says what was found, and nothing of a journal can become markup', () => {
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(page).toContain('promises were broken');
  expect(page).toContain('lost &#60;b&#62;');
  expect(page).not.toMatch(/lost <b>|https?:\/\//);
  expect(page).toContain('freeze sender-1, from 2.0 s, 2.0 s');
});

test('what was left out, and what no fault met, stands in the JSON and on the page', () => {
  const { report } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    report: { left_out: string[]; not_met: { name: string; targets: string[] }[]; calendar_days: number };
  };
  expect(report.left_out).toEqual(['the disk cannot be full <here>', 'clock-off api-1: no libfaketime']);
  const frozen = report.not_met.find(({ name }) => name === 'freeze')!.targets;
  expect(frozen).toContain('sender-2');
  expect(frozen).not.toContain('sender-1');
  expect(report.calendar_days).toBe(2);
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(page).toContain('the disk cannot be full &#60;here&#62;');
  expect(page).toContain('which is 2 days');
});

test('the report in docs/proof is the signed JSON of a run of 20 minutes, and docs/proof.md has its numbers', () => {
  const docs = join(import.meta.dirname, '../../../docs');
  const told = readFileSync(join(docs, 'proof.md'), 'utf8');
  const files = readdirSync(join(docs, 'proof'));
  expect(files).toEqual([expect.stringMatching(/^\d+\.json$/)]);
  for (const name of files) {
    const signed = JSON.parse(readFileSync(join(docs, 'proof', name), 'utf8')) as Signed<{
      seed: number;
      minutes: number;
      passed: boolean;
      calendar_days: number;
      counts: Record<
        'accepted_messages' | 'delivered' | 'delivered_again' | 'inbound_accepted' | 'faults',
        number
      >;
    }>;
    expect(isIntact(signed), name).toBe(true);
    const { seed, calendar_days: days, counts, ...report } = signed.report;
    expect(report, name).toMatchObject({ minutes: 20, passed: true });
    const {
      accepted_messages: accepted,
      delivered,
      delivered_again: again,
      inbound_accepted: inbound,
    } = counts;
    const numbers = [days, accepted, delivered, again, inbound, counts.faults];
    expect(told).toContain(`| ${seed} | ${numbers.map((n) => n.toLocaleString('en-US')).join(' | ')} |`);
  }
});
