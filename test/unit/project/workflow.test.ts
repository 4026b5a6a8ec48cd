// The workflow of GitHub runs what a landing runs, at the times and on the machine that are meant.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  if: string;
  'runs-on': string;
  'timeout-minutes': number;
  container: { image: string };
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const ROOT = join(import.meta.dirname, '../../..');
const text = readFileSync(join(ROOT, '.github/workflows/check.yaml'), 'utf8');
const workflow = parse(text) as {
  on: { push: unknown; schedule: { cron: string }[] };
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const jobs = Object.entries(workflow.jobs);

test('each push is checked, and each night all nightly tests run', () => {
  expect(workflow.on).toHaveProperty('push');
  expect(workflow.on.schedule.map(({ cron }) => cron)).toEqual([expect.stringMatching(/^\d+ \d+ \* \* \*$/)]);
  expect(workflow.jobs['check']).toMatchObject({ if: "github.event_name == 'push'" });
  expect(workflow.jobs['nightly']).toMatchObject({ if: "github.event_name != 'push'" });
  expect(workflow.permissions).toEqual({ contents: 'read' });
});

test.each(jobs)('%s has its script, a pinned machine, Debian, Node 24 and the whole history', (name, job) => {
  const script = name === 'check' ? '.ci/run' : '.ci/nightly';
  expect(existsSync(join(ROOT, script))).toBe(true);
  expect(job.steps.at(-1)!.run).toBe(`bash ${script}`);
  expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.\d\d$/);
  expect(job.container.image).toBe('buildpack-deps:bookworm');
  expect(job['timeout-minutes']).toBeGreaterThan(30);
  const settings = Object.assign({}, ...job.steps.map((step) => step.with ?? {})) as object;
  expect(settings).toEqual({ 'fetch-depth': 0, 'node-version': 24 });
});

test('actions are pinned to a commit, with their version beside it', () => {
  const uses = text.split('\n').filter((line) => line.includes('uses:'));
  expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
    [],
  );
  expect(uses.length).toBeGreaterThan(0);
});
