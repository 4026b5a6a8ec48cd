// What git knows: the files that changed since a commit, the commit to compare with, and the date of HEAD.

import { execFileSync } from 'node:child_process';

/** A commit, and when it was made, in seconds since the epoch. */
export interface Commit {
  id: string;
  at: number;
}

const DAY_SECONDS = 86_400;
const MOST_COMMITS = '5000';

/** The files that differ from a commit, those that git does not track yet included. */
export function changedSince(root: string, commit: string): string[] {
  const changed = git(root, 'diff', '--name-only', '--no-renames', '-z', commit, '--');
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set(`${changed}${untracked}`.split('\0').filter(Boolean))].toSorted();
}

/** The last commits, HEAD first. */
export function recentCommits(root: string): Commit[] {
  const lines = git(root, 'log', '-n', MOST_COMMITS, '--format=%H %ct').trim().split('\n');
  return lines.map((line) => line.split(' ')).map(([id, at]) => ({ id: id!, at: Number(at) }));
}

/** The newest commit that was a day old when HEAD was made; in a shorter history its oldest one. */
export function commitOfYesterday(commits: readonly Commit[]): Commit {
  const [head] = commits;
  if (!head) throw new Error('this repository has no commit');
  return commits.find(({ at }) => at < head.at - DAY_SECONDS) ?? commits.at(-1)!;
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
