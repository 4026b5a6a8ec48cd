// Private words that the project once used do not come back; docs/glossary.md has the words to use.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['api', 'cli', 'core', 'dashboard/src', 'docs', 'inbound', 'proto', 'scheduler', 'sender'];
const READ = /\.(?:ts|tsx|lua|md|proto|graphql)$/;
const SKIPPED = /(?:^|\/)(?:gen|adr|migrations|node_modules)\//; // generated, or history

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
).filter((file) => READ.test(file) && !SKIPPED.test(file));

function linesWith(pattern: RegExp, within: RegExp): string[] {
  return files
    .filter((file) => within.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
}

test.each([
  [/\b(?:two|second) walls?\b/i, 'fast check, authoritative check'],
  [/\bAs the system\b/, 'System theme'],
  [/\/\*\* The (?:card|form|frame|dialog|tab)\. \*\//, 'a comment that says something, or none'],
  [/nobody knows any more/i, 'unknown'],
  [/\bwho runs this service\b/i, 'administrator'],
  [/\bput off\b/i, 'deferred'],
  [/\bin hand\b/i, 'in flight'],
  [/\b(?:goOn|moveMark|concludeTurns|hasActed|moveOnce|tellLive)\b/, 'resume, advanceCursor, record …'],
  [/\blanes\b/i, 'streams'],
  [/\b(?:tells?|told|hears?) of\b/i, 'reports, is notified of'],
  [/\btells the (?:story|rest)\b/i, 'describes'],
  [/\bstrangers?\b/i, 'untrusted input, unauthenticated callers'],
  [/\blets go of\b/i, 'releases'],
])('%s is not used: write "%s"', (pattern) => {
  expect(linesWith(pattern, /./)).toEqual([]);
});

// `slot` is the API's name for the run time of a job.
test.each([
  [/\btake mail\b/i, 'receive mail'],
  [/'Own words'/, 'Write content'],
  [/\/\*\* The page\. \*\//, 'nothing'],
  [/(?<!last\.)\bslots?\b/i, 'variable, admission or run time'],
  [/\bput off\b/i, 'deferred'],
  [/\bgiven up\b/i, 'failed'],
  [/\bby hand\b/i, 'manually'],
  [/\bout of reach\b/i, 'not possible'],
  [/'All states'|>State<|"State"/, 'Status'],
])('%s is not on the page: write "%s"', (pattern) => {
  expect(linesWith(pattern, /^dashboard\/src\/.*\.tsx?$/)).toEqual([]);
});
