// A folder for one test, gone afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty folder that is removed when the running test ends. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
