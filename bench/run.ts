// `npm run bench`: measures the parts one after the other on private servers and writes bench/RESULTS.md.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MissingServerError } from '../local/servers/install.ts';
import { findGoProgram, GoProgramMissing, type GoProgram } from '../local/servers/go-program.ts';
import { LockedError } from '../local/servers/lock.ts';
import { compareCommits } from './against/compare.ts';
import { measureAttacks } from './attacks-load.ts';
import { measureBounces } from './bounce-figures.ts';
import { renderFolder } from './cpu-profile.ts';
import { measureCampaign } from './campaign-load.ts';
import { measureCompat } from './compat-load.ts';
import { measureDashboard } from './dashboard-load.ts';
import { measureFind } from './find-load.ts';
import { measureEndToEnd } from './end-to-end.ts';
import { formatTarget, formatValue, verdict, type Figure } from './figure.ts';
import { measureGate } from './gate-load.ts';
import { measureGrpc } from './grpc-load.ts';
import { measureOneTenant } from './one-tenant-load.ts';
import { measureInbound } from './inbound-load.ts';
import { measureImport } from './import-load.ts';
import { describeCommit, describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureMidnight } from './midnight-load.ts';
import { measurePaging } from './paging-load.ts';
import { PARTS, readOptions, USAGE, type Options, type PartName } from './options.ts';
import { renderResults, type Notes, type PartResult, type Results } from './report.ts';
import { measurePeers } from './peers-load.ts';
import { measureNights } from './nights-load.ts';
import { measureSearch } from './search-load.ts';
import { measureStart } from './start-load.ts';
import { measureSubmission } from './submission-load.ts';
import { measureStorage } from './storage-load.ts';
import { measureTail } from './tail-load.ts';
import { measureWebhooks } from './webhook-load.ts';
import { measureMix, measureSaturation, measureSendPath } from './rest-load.ts';
import { openBench, type Bench } from './stack/bench.ts';
import { cleanServers } from './stack/clean.ts';

const MEASURES: Record<PartName, (bench: Bench) => Promise<Figure[]>> = {
  gate: measureGate,
  'send-path': measureSendPath,
  saturation: measureSaturation,
  'mixed-templates': measureMix,
  grpc: measureGrpc,
  'one-tenant': measureOneTenant,
  'end-to-end': measureEndToEnd,
  inbound: measureInbound,
  webhooks: measureWebhooks,
  submission: measureSubmission,
  compat: measureCompat,
  bounces: measureBounces,
  import: measureImport,
  campaign: measureCampaign,
  search: measureSearch,
  find: measureFind,
  paging: measurePaging,
  tail: measureTail,
  dashboard: measureDashboard,
  nights: measureNights,
  storage: measureStorage,
  midnight: measureMidnight,
  memory: measureMemory,
  start: measureStart,
  attacks: measureAttacks,
  peers: measurePeers,
};
// The newest release of this module path; its TypeScript support (scripts are .ts) came with 1.0.
const K6: GoProgram = {
  name: 'k6',
  module: 'go.k6.io/k6@v1.8.1',
  hint: 'k6 (https://grafana.com/docs/k6/latest/set-up/install-k6/)',
};
const NEED_K6 = new Set<PartName>(['send-path', 'saturation', 'mixed-templates', 'memory']);
const LIMIT_MS = 40 * 60_000; // well over twice what all parts take
const MILLION_LIMIT_MS = LIMIT_MS + 80 * 60_000; // at 250 a second a million messages are 67 minutes more
const RESULTS_FILE = join(import.meta.dirname, 'results.json');
const NOTES_FILE = join(import.meta.dirname, 'notes.json');
const REPORT_FILE = join(import.meta.dirname, 'RESULTS.md');

const startedAt = performance.now();
const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
const options = readOptions(args);
if ('problem' in options) {
  console.error(`${options.problem}\n\n${USAGE}`);
  process.exit(2);
}
process.exit(
  await (options.against === null ? main(options) : compareCommits(options, options.against, log)),
);

async function main(options: Options): Promise<number> {
  let bench: Bench | null = null;
  const abort = (why: string) => {
    log(why);
    void Promise.resolve(bench?.close()).finally(() => process.exit(1));
  };
  process.once('SIGINT', () => abort('interrupted'));
  process.once('SIGTERM', () => abort('terminated'));
  const limit = setTimeout(() => abort('took too long'), options.million ? MILLION_LIMIT_MS : LIMIT_MS);
  try {
    const k6 = options.parts.some((part) => NEED_K6.has(part)) ? await findGoProgram(K6, log) : null;
    bench = await openBench(options, k6, log);
    const { results, failed } = await measureAll(bench);
    await report(options, results);
    if (options.profile) await printProfiles(bench);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    const isExpected = [GoProgramMissing, LockedError, MissingServerError].some(
      (kind) => error instanceof kind,
    );
    console.error(isExpected ? (error as Error).message : error);
    return 1;
  } finally {
    clearTimeout(limit);
    await bench?.close();
  }
}

// A part that fails is said and left out; the others are measured all the same.
async function measureAll(bench: Bench): Promise<{ results: PartResult[]; failed: number }> {
  const machine = await describeMachine(bench.k6);
  const commit = await describeCommit();
  const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
  if (bench.options.profile) await rm(join(bench.folder, 'profiles'), { recursive: true, force: true });
  const results: PartResult[] = [];
  let failed = 0;
  for (const part of bench.options.parts) {
    log(`── ${part}`);
    try {
      await cleanServers(bench.servers);
      const figures = await MEASURES[part](bench);
      const at = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      if (figures.length === 0) continue; // a part may say that this machine lacks what it needs
      results.push({ part, commit, at, command, machine, figures });
      for (const figure of figures) log(`   ${describe(figure)}`);
    } catch (error) {
      failed += 1;
      log(`   ${part} could not be measured: ${(error as Error).stack}`);
    }
  }
  return { results, failed };
}

async function report(options: Options, results: PartResult[]): Promise<void> {
  const isRough = options.quick || options.profile || options.dry;
  const missed = results.flatMap(({ figures }) => figures).filter((one) => verdict(one).startsWith('missed'));
  log(`${missed.length} targets missed`);
  if (options.strict && missed.length > 0) process.exitCode = 1;
  const measured: Results = Object.fromEntries(results.map((result) => [result.part, result]));
  if (options.results !== null) await writeFile(options.results, `${JSON.stringify(measured, null, 2)}\n`);
  if (isRough) return log('bench/RESULTS.md is left as it was');
  const all = await readJson<Results>(RESULTS_FILE, {});
  for (const result of results) all[result.part] = result;
  await writeFile(RESULTS_FILE, `${JSON.stringify(all, null, 2)}\n`);
  await writeFile(REPORT_FILE, renderResults(all, PARTS, await readJson<Notes>(NOTES_FILE, {})));
  log('bench/RESULTS.md is written');
}

async function printProfiles(bench: Bench): Promise<void> {
  for (const part of bench.options.parts) {
    const lines = await renderFolder(join(bench.folder, 'profiles', part));
    if (lines.length > 0) console.log([`\n── ${part}`, ...lines].join('\n'));
  }
}

function describe(figure: Figure): string {
  const target = figure.target ? ` (${formatTarget(figure.target, figure.unit)}: ${verdict(figure)})` : '';
  return `${figure.what}: ${formatValue(figure.value, figure.unit)}${target}`;
}

async function readJson<T>(file: string, otherwise: T): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}

function log(line: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  console.log(`${seconds} s  ${line}`);
}
