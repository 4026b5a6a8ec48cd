// Runs one script of bench/k6 and reads what k6 measured.

import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { HTML, TEXT } from './sample-mail.ts';
import type { Bench } from './stack/bench.ts';
import type { Stack } from './stack/stack.ts';

/** k6's metrics by name (with tags where a threshold names them); values by statistic. */
export interface K6Summary {
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
}

const THRESHOLDS_CROSSED = 99; // exit code; the report says so in its own words

/** Runs `bench/k6/<script>.ts` against the api of the stack. `settings` are the script's own. */
export async function runK6(
  bench: Bench,
  stack: Pick<Stack, 'apiUrl' | 'caFile' | 'seedFile'>,
  script: string,
  settings: Record<string, string>,
): Promise<K6Summary> {
  if (bench.k6 === null) throw new Error('this part needs k6');
  const summaryFile = join(bench.folder, `${script}.json`);
  const contentFile = join(bench.folder, 'content.json');
  await rm(summaryFile, { force: true });
  await writeFile(contentFile, JSON.stringify({ html: HTML, text: TEXT }));
  const child = spawn(
    bench.k6,
    ['run', '--quiet', '--no-usage-report', join(import.meta.dirname, `k6/${script}.ts`)],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: bench.folder,
        SSL_CERT_FILE: stack.caFile, // Go's way to trust an authority
        GODEBUG: 'http2client=0', // programs that send speak HTTP/1.1 for the most part, and so did all runs before
        API_URL: stack.apiUrl,
        SEED_FILE: stack.seedFile,
        CONTENT_FILE: contentFile,
        SUMMARY_FILE: summaryFile,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const pid = child.pid ?? 0;
  bench.watchdog.add(pid, 'SIGTERM');
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  bench.watchdog.remove(pid);
  if (code !== 0 && code !== THRESHOLDS_CROSSED)
    throw new Error(`k6 ${script} ended with ${code}:\n${output}`);
  return JSON.parse(await readFile(summaryFile, 'utf8')) as K6Summary;
}

/** One number of a summary; 0 for a counter that was never touched. */
export function readMetric(summary: K6Summary, metric: string, statistic: string): number {
  return summary.metrics[metric]?.values[statistic] ?? 0;
}
