// What is wrong with the text of an editor, line by line; each problem leads to its place.

import type { ReactNode } from 'react';

import { cx } from '../class-names.ts';

/** A problem at a place of the text. */
export interface ShownProblem {
  from: number;
  to: number;
  line: number;
  column: number;
  severity: string;
  message: string;
  /** The name of the variable that nobody declares, or null for any other problem. */
  unknown: string | null;
}

const MAX_SHOWN = 8; // of them: the rest is marked in the text

export function ProblemList({
  problems,
  onShow,
  onDeclare,
}: {
  problems: readonly ShownProblem[];
  onShow: (problem: ShownProblem) => void;
  onDeclare: ((name: string) => void) | undefined;
}): ReactNode {
  if (problems.length === 0) return null;
  const more = problems.length - MAX_SHOWN;
  return (
    <ul aria-label="Problems" className="mt-1.5 space-y-1 text-[13px]">
      {problems.slice(0, MAX_SHOWN).map((problem) => (
        <li key={`${problem.from} ${problem.message}`} className="flex flex-wrap items-baseline gap-x-3">
          <button
            type="button"
            onClick={() => onShow(problem)}
            className={cx(
              'min-w-0 text-left [overflow-wrap:anywhere] hover:underline',
              problem.severity === 'error' ? 'text-bad' : 'text-warn',
            )}
          >
            <span className="font-medium">
              Line {problem.line}, column {problem.column}:
            </span>{' '}
            {problem.message}
          </button>
          {problem.unknown !== null && onDeclare ? (
            <button
              type="button"
              className="text-accent font-medium hover:underline"
              onClick={() => onDeclare(problem.unknown!)}
            >
              Add {problem.unknown} to the variables
            </button>
          ) : null}
        </li>
      ))}
      {more > 0 ? <li className="text-muted">and {more} more, marked in the text</li> : null}
    </ul>
  );
}
