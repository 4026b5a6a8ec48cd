// `npm run test:near [-- --since COMMIT] [--seconds N] [--list]`: the tests nearest to what changed since the last commit, in
// about a minute. Unit tests come first; the others follow when those pass.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { quarantinedFiles } from '../../test/harness/quarantine.ts';
import { changedSince } from './changes.ts';
import { chooseNear, type Near } from './choose-near.ts';
import { distancesTo } from './import-graph.ts';
import { projectGraph, readProject, readScripts, underAllTests } from './project-graph.ts';
import { readCosts, runVitest } from './run-vitest.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHOWN = 12;
const WORKERS = 2;
// Vitest itself, and what has no test: building what services run, and starting the servers.
const UNIT_START_SECONDS = 3;
const SERVERS_START_SECONDS = 12;
const UNIT_SHARE = 0.3; // of all seconds, at most

const { values } = parseArgs({
  options: {
    since: { type: 'string', default: 'HEAD' },
    seconds: { type: 'string', default: '60' },
    list: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error('--seconds must be a number');
process.exit(await main());

async function main(): Promise<number> {
  const changed = changedSince(ROOT, values.since);
  const { unit, servers, nightly } = plan(changed);
  console.log(`${changed.length} changed files since ${values.since}`);
  const everywhere = underAllTests(changed);
  if (everywhere.length > 0) console.log(`under every test, so run npm test too: ${everywhere.join(', ')}`);
  show('unit', unit);
  show('servers', servers);
  if (nightly.length > 0) {
    console.log(`${nightly.length} files of test/nightly are affected: npm run test:nightly -- <file>`);
  }
  if (values.list) return 0;
  if (!(await run('unit', unit))) return 1;
  return (await run('servers', servers)) ? 0 : 1;
}

function plan(changed: string[]) {
  const sources = readProject(ROOT, changed);
  const distances = distancesTo(projectGraph(sources, readScripts(ROOT)), changed);
  const left = new Set([...quarantinedFiles(), ...goneTests(changed, sources)]);
  const tests = sources
    .map(({ file }) => file)
    .filter((file) => file.endsWith('.test.ts') && !left.has(file));
  const costs = readCosts(ROOT);
  const common = {
    changed,
    distances,
    workers: WORKERS,
    secondsOf: (test: string) => costs.get(test)?.seconds,
  };
  const unit = chooseNear({
    ...common,
    tests: tests.filter((file) => file.startsWith('test/unit/')),
    seconds: seconds * UNIT_SHARE - UNIT_START_SECONDS,
    unknownSeconds: 0.3,
  });
  const servers = chooseNear({
    ...common,
    tests: tests.filter((file) => !/^test\/(?:unit|nightly)\//.test(file)),
    seconds: seconds - UNIT_START_SECONDS - unit.expected - SERVERS_START_SECONDS,
    unknownSeconds: 8,
  });
  const nightly = tests.filter((file) => file.startsWith('test/nightly/') && distances.has(file));
  return { unit, servers, nightly };
}

// A changed file without a text is one that was deleted.
function goneTests(changed: readonly string[], sources: ReturnType<typeof readProject>): string[] {
  const empty = new Set(sources.filter(({ text }) => text === '').map(({ file }) => file));
  return changed.filter((file) => empty.has(file));
}

function show(project: string, { chosen, left, expected }: Near): void {
  console.log(`\n${project}: ${chosen.length} files, about ${Math.ceil(expected)} s`);
  for (const file of chosen.slice(0, SHOWN)) console.log(`  ${file}`);
  if (chosen.length > SHOWN) console.log(`  and ${chosen.length - SHOWN} more`);
  if (left.length === 0) return;
  const names = left.slice(0, SHOWN).join(', ');
  console.log(`left out, farther away: ${left.length} files (--seconds N for more), such as ${names}`);
}

async function run(project: string, { chosen }: Near): Promise<boolean> {
  if (chosen.length === 0) return true;
  return runVitest({ root: ROOT, files: chosen, args: ['--project', project], what: project });
}
