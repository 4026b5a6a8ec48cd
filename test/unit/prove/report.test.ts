// The report of a run: signed, on one page, and checked again from its journal.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { verifyReport, writeReport } from '../../../prove/report/write-report.ts';
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
