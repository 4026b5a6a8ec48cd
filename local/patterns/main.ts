// `npm run patterns`: every regular expression of the services, the dashboard and their packages takes linear time, or
// exceptions.json says what bounds its text. Those known as linear are in safe.json, all others are analyzed.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { installTools } from '../tools/tools.ts';
import { findPatterns } from './find-patterns.ts';
import { judge, needsAnalysis, type Verdict } from './judge.ts';
import { isListed, problemsOf, type Exceptions, type Placed } from './problems.ts';
import { readSources } from './sources.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const SAFE_FILE = 'local/patterns/safe.json';
const { version } = JSON.parse(
  readFileSync(join(installTools(), 'node_modules/recheck/package.json'), 'utf8'),
) as { version: string };
const AT_ONCE = 2; // as many cores as CI has
const TELL_MS = 2_000;

console.log('reading the services, the dashboard and their packages');
const exceptions = JSON.parse(read('local/patterns/exceptions.json')) as Exceptions[];
const safe = new Set(JSON.parse(read(SAFE_FILE)) as string[]);
const places = await findPlaces();
const verdicts = await judgeAll();
const problems = problemsOf(
  places,
  (pattern, flags) => verdicts.get(hash(pattern, flags)) ?? { ok: true },
  exceptions,
);
keepSafe();
for (const problem of problems) console.error(problem);
console.log(
  `${places.length} regular expressions, ${verdicts.size} of them analyzed: ${problems.length} problems`,
);
process.exit(problems.length > 0 ? 1 : 0); // recheck's process would keep this one

async function findPlaces(): Promise<Placed[]> {
  const sources = await readSources(ROOT);
  return sources.flatMap(({ file, code }) => {
    const isOurs = !file.startsWith('node_modules/');
    return findPatterns(file, code, isOurs ? read : undefined).map((found) => ({ ...found, file }));
  });
}

async function judgeAll(): Promise<Map<string, Verdict>> {
  const found = new Map<string, Verdict>();
  const unseen = new Map<string, { pattern: string; flags: string }>();
  for (const place of places) {
    if ('made' in place || isListed(place, exceptions)) continue;
    const key = hash(place.pattern, place.flags);
    if (!needsAnalysis(place.pattern)) continue;
    if (safe.has(key)) found.set(key, { ok: true });
    else unseen.set(key, place);
  }
  const queue = [...unseen];
  let told = performance.now();
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [key, { pattern, flags }] = next;
      found.set(key, await judge(pattern, flags));
      if (performance.now() - told < TELL_MS) continue;
      told = performance.now();
      console.log(`analyzing: ${queue.length} of ${unseen.size} to go`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

function keepSafe(): void {
  const keys = [...verdicts].filter(([, { ok }]) => ok).map(([key]) => key);
  writeFileSync(join(ROOT, SAFE_FILE), `${JSON.stringify(keys.toSorted(), null, 2)}\n`);
}

function hash(pattern: string, flags: string): string {
  const HASH_DIGITS = 16;
  return createHash('sha256').update(`${version}\0${flags}\0${pattern}`).digest('hex').slice(0, HASH_DIGITS);
}
