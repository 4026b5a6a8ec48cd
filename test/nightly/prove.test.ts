// The proof in short: every way in under load, with faults, over two midnights, and no promise broken. `npm run prove` is
// the whole of it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { audit } from '../../prove/audit/audit.ts';
import { readJournal } from '../../prove/journal.ts';
import { runOnce } from '../../prove/prove.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 900_000; // a minute of load takes five on a machine that is busy with other things

test('a minute of load and faults breaks no promise', { timeout: LIMIT_MS }, async () => {
  const runDir = mkdtempSync(join(tmpdir(), 'prove-'));
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  await runOnce({ seed: 13, minutes: 1, folder: ROOT, bug: null, runDir, log });
  const entries = readJournal(runDir);
  expect(audit(entries), `${runDir}\n${lines.join('\n')}`).toEqual([]);
  expect(entries.filter(({ kind }) => kind === 'fault').length).toBeGreaterThan(0);
  expect(entries.filter(({ kind }) => kind === 'verdict').length).toBeGreaterThan(500);
  rmSync(runDir, { recursive: true });
});
